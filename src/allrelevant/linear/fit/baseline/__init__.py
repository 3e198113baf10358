"""The baseline: which C and which model, where its offsets are, how much worse others may be."""
