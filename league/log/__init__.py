"""The log of changes: its rows are chained by hashes, searched, described in words, and audited.

Start with `write.py` (`note` and `note_in_club`), then `chain.py` and `audit.py`. The log knows rows, not the subjects
that wrote them. It imports access and the layers below.
"""
