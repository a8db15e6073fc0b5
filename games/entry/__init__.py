"""How people bring in hands from a table with real cards: pages, phones without network, the API.

Begin with `views.py` and `forms.py`; every save ends in `games/hands/record.py`. It imports `games/hands` and
`games/online/play`.
"""
