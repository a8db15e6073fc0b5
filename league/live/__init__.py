"""Open pages that follow what happens: streams, and what is sent along them.

Begin with `stream.py`, the hub of a process; `push.py` renders what is sent along. `league/lib/wake.py` carries the
news between processes. It imports access and what is below.
"""
