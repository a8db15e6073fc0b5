"""The engine's modules compiled: `make.py` makes them, `load.py` decides whether they run."""
