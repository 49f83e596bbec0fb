"""Tests of the page of reports: a package, so that the browser they share ends with them."""
