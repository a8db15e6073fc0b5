"""Serve pages of single formats, a module each. A format with such a page sets `Format.race_page`."""
