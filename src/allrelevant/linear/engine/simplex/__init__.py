"""Programs solved by the simplex method on a working set that grows."""
