"""What becomes of all features under constraints."""
