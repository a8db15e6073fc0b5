"""Measurements, each a command that takes a seed and prints one JSON line: docs/performance.md."""
