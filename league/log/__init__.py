"""The log of changes: a row for each, which is chained by hashes, searched, told in words and audited.

Begin with `write.py` (`note` and `note_in_club`), then `league/log/chain.py` and `audit.py`. It knows rows, not the
subjects that wrote them, and imports access and what is below.
"""
