"""The screenshots of Harbor, as `tests.docs.demo.render` made them."""
