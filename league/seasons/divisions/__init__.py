"""Place players in the divisions of a season: ticked, by rating, or from a list.

Begin with `placing.py`. Imports the services of `league/seasons/`.
"""
