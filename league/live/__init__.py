"""Live pages: streams of change events.

Begin with `stream.py`, the hub of a process; `push.py` renders views to send. `league/lib/wake.py` carries changes
between processes. Imports access and everything below.
"""
