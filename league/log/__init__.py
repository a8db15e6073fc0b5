"""The log of changes: a row for each, chained by hashes, searched, told in words and proved.

Begin with `write.py` (`note` and `note_in_club`), then `league/log/chain.py` and `audit.py`. It knows rows, not what
they were about, and imports access and what is below.
"""
