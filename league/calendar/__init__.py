"""Calendars of tournaments at secret addresses (iCalendar), and the next event.

Begin with `ical.py`. Imports the record wing and everything below, but neither seasons nor clubs.
"""
