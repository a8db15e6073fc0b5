"""The page of check-in: who is here, who is not, and what is done to everyone who is ticked.

Begin with `page.py`. It imports the services of `league/entries/`.
"""
