"""What concerns the whole service: backup, demo, one process for all, bots that fill tables.

Begin with `backup.py`. It imports every other room of games.
"""
