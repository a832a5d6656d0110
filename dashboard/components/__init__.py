"""Widgets that several pages share: each takes values and draws them."""
