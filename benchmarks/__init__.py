"""Measurements: speed against other ways, and quality on data with known truth."""
