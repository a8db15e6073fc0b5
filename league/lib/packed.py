"""Compress text for browsers."""

import gzip
import re

TAKES_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))")  # in the header Accept-Encoding


def pack(content: bytes) -> bytes:
    """Compress; equal content gives equal bytes."""
    return gzip.compress(content, 6, mtime=0)


unpack = gzip.decompress
