"""Measurements of the ranker: not installed, and nothing in the package knows of them."""
