"""The examples in docker/, started with the real programs on ports of a test."""

import contextlib
import os
import subprocess

from django.conf import settings

from tests.proxies.behind import HOST, free_port, running
from tests.requirements import program

DOCKER = settings.BASE_DIR / "docker"


def replaced(text, **parts):
    for old, new in parts.items():
        assert old in text, old
        text = text.replace(old, new)
    return text


@contextlib.contextmanager
def nginx(folder, web_port, *streams, without=""):
    """Yield the https port of nginx with docker/nginx.conf, without one of its lines."""
    executable, port = program("nginx"), free_port()
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    make = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1"]
    make += ["-subj", f"/CN={HOST}", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(make, check=True, capture_output=True)
    parts = {
        "listen 80;": f"listen 127.0.0.1:{free_port()};",
        "listen 443 ssl http2;": f"listen 127.0.0.1:{port} ssl http2;",
        "/etc/letsencrypt/live/cards.example.org/fullchain.pem": str(certificate),
        "/etc/letsencrypt/live/cards.example.org/privkey.pem": str(key),
        "127.0.0.1:8000": f"127.0.0.1:{web_port}",
        "server 127.0.0.1:8001;": " ".join(f"server {address};" for address in streams),
    }
    site = replaced((DOCKER / "nginx.conf").read_text(), **parts | ({without: ""} if without else {}))
    temporary = " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi"))
    (folder / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {folder}/pid; error_log stderr warn; events {{}}\n"
        f"http {{ access_log off; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi; {temporary}\n{site}}}\n"
    )
    command = [executable, "-e", "stderr", "-p", str(folder), "-c", str(folder / "nginx.conf")]
    with running(command, port):
        yield port


@contextlib.contextmanager
def caddy(folder, names, web_port, stream_port):
    """Yield the https port of Caddy with docker/Caddyfile, which finds the processes by these Names."""
    executable, port = program("caddy"), free_port()
    resolvers = f"\n\t\tresolvers udp/127.0.0.1:{names.port}"
    parts = {
        "dynamic a stream 8001 {": f"dynamic a stream {stream_port} {{{resolvers}",
        "dynamic a web 8000 {": f"dynamic a web {web_port} {{{resolvers}",
    }
    text = replaced((DOCKER / "Caddyfile").read_text(), **parts)
    own = "{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\tauto_https disable_redirects"
    (folder / "Caddyfile").write_text(own + text.removeprefix("{"))
    environment = os.environ | {"HOME": str(folder), "WILD_SITE": f"https://{HOST}:{port}"}
    environment |= {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    command = [executable, "run", "--config", folder / "Caddyfile"]
    with (folder / "log").open("w") as log, running(command, port, env=environment, stderr=log):
        yield port
