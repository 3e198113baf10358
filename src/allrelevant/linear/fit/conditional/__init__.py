"""The conditional test: what a feature explains that the others leave unexplained."""
