"""The screenshots of Harbor, as `memctl_cli.demo.render` made them."""
