"""Live pages: streams of change events.

Begin with `stream.py`, the hub of a process; `push.py` renders views to send; `open_streams.py` limits their number.
`league/lib/wake.py` carries changes between processes. Imports access and everything below.
"""
