"""Six tasks in JupyterLab, shown once and done again."""
