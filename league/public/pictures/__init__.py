"""Compute pictures: table plans, brackets (followed rounds, ladders, trees) and the SVG file.

Begin with `bracket.py`, which defines the values. Inputs are plain values; only formats may be imported.
"""
