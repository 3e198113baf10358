"""The rows of a fit: their order, samples of them, folds."""
