"""One SQLite file: connections, migrations, transactions, named statements."""
