"""Tournaments in time: secret addresses that yield iCalendar files for phones, and the event that comes next.

Begin with `ical.py`. It imports standings' neighbours and what is below, nothing of seasons or clubs.
"""
