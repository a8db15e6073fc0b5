"""Tournaments in the calendars of phones: secret addresses that yield iCalendar files.

Begin with `ical.py`. It imports standings' neighbours and what is below, nothing of seasons or clubs.
"""
