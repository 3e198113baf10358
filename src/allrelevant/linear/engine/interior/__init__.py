"""Programs solved by an interior point, and finished at a vertex."""
