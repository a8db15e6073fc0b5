"""Choose which events of a club count in a season.

Begin with `page.py`. Imports the services of `league/seasons/`.
"""
