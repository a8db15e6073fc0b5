"""Wait without polling, so that a service without visitors costs almost nothing.

Begin with `beat.py`, which decides when a task is called, and `alarm.py`, by which requests wake it. `queues.py` counts
calls at the broker, `in_memory.py` is the broker of `serve`, and `uvicorn_loop.py` lets an idle server sleep.
"""
