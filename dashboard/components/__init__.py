"""Widgets: each takes a value and draws it."""
