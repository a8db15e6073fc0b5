"""Announcements: one line by a director, on every page of the tournament and on the hall screen.

Begin with `announce.py`. It imports pages and the packages below.
"""
