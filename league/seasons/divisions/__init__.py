"""Who is in which division of a season: by ticking people, or all who have a rating at once.

Begin with `placing.py`. It imports the services of `league/seasons/`.
"""
