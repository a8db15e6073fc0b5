"""The screen in the hall: panels that follow the tournament under an address of their own.

Begin with `panels.py`. It imports public and what is below.
"""
