"""Open pages that follow what happens: streams, and how processes wake each other's.

Begin with `stream.py`, the hub of a process; `wake.py` carries the news, `push.py` renders what is sent along. It
imports access and what is below.
"""
