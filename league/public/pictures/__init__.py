"""Pictures: the plan of a table, and a bracket (rounds where everybody is followed, ladders and trees) and its file.

Begin with `bracket.py`, which has what a picture is made of. It takes plain values; it imports formats alone.
"""
