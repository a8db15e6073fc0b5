"""Who sits where: seatings as pure searches over numbers.

Begin with `dealer.py` for one table and `league/formats/seating/golfers.py` for a whole schedule. It knows neither
database nor Django, and imports the engine alone.
"""
