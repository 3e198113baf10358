"""The ranges of features and of probes."""
