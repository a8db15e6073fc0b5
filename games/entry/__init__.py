"""Record hands played with real cards: pages, phones without a network, and the API.

Start with `views.py` and `forms.py`. Every save ends in `games/hands/record.py`. This package imports `games/hands` and
`games/online/play`.
"""
