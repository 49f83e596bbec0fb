"""Rows of anybody's making: CSV, tables of SQLite, arrays of JSON objects."""
