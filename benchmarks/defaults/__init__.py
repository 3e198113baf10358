"""What the default settings find, on data they were not chosen on; one module per part."""
