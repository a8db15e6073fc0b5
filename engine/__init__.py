"""The rules of the card game. Standard library only; knows no Django and no tournament.

Docstrings cite the rule ids of docs/rules.md.
"""

from engine.compiled import load

COMPILED = load.use(__path__)
"""Whether compiled modules run (`python3 dev.py build --engine`), or the sources."""
