"""Erases a person from tournaments and clubs without breaking the log.

Begin with `erase.py`. It imports pages and what is below.
"""
