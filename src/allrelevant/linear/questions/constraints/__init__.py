"""Constraints on equivalent models, and who can keep them."""
