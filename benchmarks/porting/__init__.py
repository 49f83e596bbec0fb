"""What taking a hundred thousand records costs, against a bare insert of the same rows."""
