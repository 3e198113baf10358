"""For whom the prediction depends on the model."""
