"""The set of equivalent linear models."""
