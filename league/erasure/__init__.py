"""Erase a person from tournaments and clubs without breaking the log.

Begin with `erase.py`. Imports pages and everything below.
"""
