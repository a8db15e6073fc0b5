"""The rules of the card game. Standard library only; knows no Django and no tournament.

Docstrings cite the rule ids of docs/rules.md.
"""
