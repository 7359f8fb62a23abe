"""The gateway and its server are no doctests: tests/recipes runs them, where the official SDK is installed."""

collect_ignore = ["gateway.py", "servers"]
