"""What directors note about people: private notes, and warnings.

Begin with the services, `warn.py` and `notes.py`. `read.py` reads warnings, `in_words.py` words them. Nothing here is
for public pages, files or the API. Imports `league/rounds/` and lower packages.
"""
