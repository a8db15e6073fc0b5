"""A weekly series: its dates, the copies made for them, and the page that sets it up.

Begin with `repeat.py`. Each event is copied from the previous one, a week ahead.
"""
