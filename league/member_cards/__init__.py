"""Member cards: a signed link for each member that opens their current or next event of the club.

Begin with `cards.py`; `page.py` is the page of a card as a value, `views.py` its addresses and the print.
"""
