"""Many functions over one set of models, maximised side by side."""
