"""The first hour of somebody who knows nothing but README: its lines, typed one after another."""
