"""Plain answers, and how they read as text, JSON and HTML."""
