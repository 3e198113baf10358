"""What all methods share."""
