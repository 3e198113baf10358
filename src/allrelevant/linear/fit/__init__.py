"""One fit, step by step."""
