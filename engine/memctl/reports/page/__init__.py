"""The report's page: plots, state graphs, pictures and tables in one HTML file."""
