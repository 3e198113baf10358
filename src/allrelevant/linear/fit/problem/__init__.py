"""What the engine is given for a model and a sample."""
