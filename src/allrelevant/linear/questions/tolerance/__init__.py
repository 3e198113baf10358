"""The same fit at other tolerances and other values of C."""
