"""The range of every weight: what to solve, by which method, and what to skip."""
