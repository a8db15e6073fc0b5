"""Which events of a club count in a season, ticked together.

Begin with `page.py`. It imports the services of `league/seasons/`.
"""
