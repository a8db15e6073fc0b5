"""Players say that they leave, come late or can't come; a director accepts, or the tournament lets them go at once.

Begin with `requests.py` and `answers.py`. A departure is the director's own (league/day/entrants.py). The package
imports league.day and lower packages.
"""
