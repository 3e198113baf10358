"""Pictures, report and live page."""
