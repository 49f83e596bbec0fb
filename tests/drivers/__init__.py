"""Tests of the drivers: a package, so that the browser they share ends with them."""
