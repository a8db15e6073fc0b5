"""How a view hands a stream to the loop that sends it (config/web.py). It needs no models, so servers may import it."""

STREAM = "wild.stream"
"""The key in the environ of a request: None where the server keeps streams, and then the parts, an async generator. The
view's own answer has the headers."""
