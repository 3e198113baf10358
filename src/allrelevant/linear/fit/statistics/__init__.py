"""How noise compares: p-values, verdicts, classes. Knows no model."""
