"""The pictures of a bracket: rounds where everybody is followed, ladders and trees, and each of them as a file.

Begin with `bracket.py`, which has what a picture is made of. It takes plain values; it imports formats alone.
"""
