"""Exit 0 if the process in this container is ready to work (/readyz), else print why not.

    python docker/healthcheck.py [PORT]

Without PORT, it asks the port of WILD_BIND, then 8000, where `serve` listens.
"""

import http.client
import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parent.parent)

from config.variables.read import Machine, SettingFault  # noqa: E402 - it is found only now

USUAL_PORT = 8000


def known_host(machine: Machine) -> str:
    """Return a host name that the service answers; with WILD_URL or without any setting, `localhost`."""
    if machine.given("WILD_URL"):
        return "localhost"
    host = next(iter(machine.hosts("WILD_ALLOWED_HOSTS")), "*")
    return "localhost" if host == "*" else host.removeprefix(".")


def ports(machine: Machine) -> list[int]:
    bound = machine.text("WILD_BIND").rpartition(":")[2]
    return list(dict.fromkeys([int(bound) if bound.isdecimal() else USUAL_PORT, USUAL_PORT]))


def why_not_ready(port: int, host: str) -> str:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=4)
    try:
        connection.request("GET", "/readyz", headers={"Host": host})
        answer = connection.getresponse()
        return "" if answer.status == 200 else answer.read().decode(errors="replace")
    except (OSError, http.client.HTTPException) as error:
        return f"Port {port}: {error}"
    finally:
        connection.close()


def main() -> int:
    machine = Machine()
    try:
        host = known_host(machine)
        asked = [int(sys.argv[1])] if sys.argv[1:] else ports(machine)
    except SettingFault as fault:
        sys.stdout.write(f"{fault}\n")
        return 1
    reasons = []
    for port in asked:
        if not (why := why_not_ready(port, host)):
            return 0
        reasons.append(why)
    sys.stdout.write("\n".join(reasons) + "\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
