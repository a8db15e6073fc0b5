"""Functions for the whole service: backup, demo, a single process, and bots that fill tables.

Start with `backup.py`. This package imports every other package of games.
"""
