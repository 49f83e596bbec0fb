"""The screenshots of Harbor, as `benchmarks.demo.render` made them."""
