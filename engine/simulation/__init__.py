"""Bots, and what they are good for: hands played by thousands, what a viewer could guess, how fast the engine is.

Begin with bots.py. Nothing of a hand's rules is here, and no rule imports this.
"""
