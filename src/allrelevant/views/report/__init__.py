"""A report: one self-contained HTML file about one result."""

from allrelevant.views.report.write import render_report

__all__ = ["render_report"]
