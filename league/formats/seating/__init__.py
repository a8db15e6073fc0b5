"""Compute seatings as pure searches over numbers.

Begin with `dealer.py` for one table and `league/formats/seating/golfers.py` for a whole schedule. Uses neither
database nor Django; may import only the engine.
"""
