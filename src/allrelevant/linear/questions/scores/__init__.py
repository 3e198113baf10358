"""Ranges of linear functions: of weights, of scores, of what features add to one score."""
