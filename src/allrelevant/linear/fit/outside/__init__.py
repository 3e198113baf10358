"""Fits to rows that are not all here: a small core of them, and passes over the others."""
