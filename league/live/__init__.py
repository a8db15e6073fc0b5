"""Open pages that follow what happens: streams, and how other processes are woken.

Begin with `stream.py`, the hub of a process; `wake.py` carries the news, `push.py` what is sent along. It imports
access and what is below.
"""
