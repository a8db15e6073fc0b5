"""Text as browsers take it compressed."""

import gzip
import re

TAKES_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))")  # in the header Accept-Encoding


def pack(content: bytes) -> bytes:
    """Equal bytes for equal content."""
    return gzip.compress(content, 6, mtime=0)


unpack = gzip.decompress
