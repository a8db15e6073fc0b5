"""Casual tables, without a tournament: opened, joined, ended.

Begin with `tables.py`. It imports the page of an online table and the packages below it.
"""
