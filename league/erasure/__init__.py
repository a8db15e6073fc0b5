"""How a person is forgotten, in tournaments and in clubs, without breaking the log.

Begin with `erase.py`. It imports the ledger and what is below.
"""
