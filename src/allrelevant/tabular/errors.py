"""What is said where a table cannot be used."""

__all__ = ["TableError"]


class TableError(ValueError):
    """A table that cannot be read or used; the message is one line for people."""
