"""Calls of the director from tables, and their answers.

Begin with `call.py` and `answer.py`; `page.py` words what a table sees. Imports pages and everything below.
"""
