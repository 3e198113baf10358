"""Ranges of linear functions over the set of equivalent models; knows no model by name."""
