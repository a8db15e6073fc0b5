"""What django-allauth leaves to us of accounts, and tokens for programs, and how an account is closed.

Begin with `adapter.py` and `close.py`. It imports clubs and what is below.
"""
