"""Which features are enough, and which stand in for which."""
