"""Accounts on top of django-allauth, API tokens, closing an account.

Begin with `adapter.py` and `close.py`. Imports clubs and everything below.
"""
