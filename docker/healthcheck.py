"""Exit 0 if the process in this container is ready to work (/readyz). Asks by the first allowed host name."""

import http.client
import os
import sys

port = int(sys.argv[1]) if len(sys.argv) > 1 else 8000
host = (os.environ.get("WILD_ALLOWED_HOSTS") or "localhost").split(",")[0].strip()
connection = http.client.HTTPConnection("127.0.0.1", port, timeout=4)
try:
    connection.request("GET", "/readyz", headers={"Host": "localhost" if host == "*" else host.lstrip(".")})
    sys.exit(connection.getresponse().status != 200)
except OSError:
    sys.exit(1)
