"""An analysis to take along: one HTML file that needs nothing else, and its numbers as CSV and JSON."""

from gec_core.report.bundle import bundle
from gec_core.report.page import page

__all__ = ["bundle", "page"]
