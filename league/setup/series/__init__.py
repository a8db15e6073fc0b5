"""An event that repeats every week: its dates, the copies that are made of it, and the page that sets it.

Begin with `repeat.py`. Each event is a copy of the one before, made a week ahead.
"""
