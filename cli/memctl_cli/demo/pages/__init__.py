"""The pages of Harbor: HTML, CSS and JavaScript, rendered by `memctl_cli.demo.render`."""
