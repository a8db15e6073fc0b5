"""The owner's page of a server, and its first start.

Begin with `page.py`, the owner's page as a value, and `first_start.py`. This package imports `games/service/`, and
packages of the league; `config` imports it.
"""
