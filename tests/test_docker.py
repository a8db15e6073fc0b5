"""The files in docker/ that no other test runs."""

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import yaml
from django.conf import settings

pytestmark = pytest.mark.slow

DOCKER = settings.BASE_DIR / "docker"


@pytest.fixture(scope="module")
def compose():
    return yaml.safe_load((DOCKER / "compose.yaml").read_text())


def test_every_service_of_ours_runs_the_one_image_with_secrets_from_files(compose):
    ours = {name: one for name, one in compose["services"].items() if one["image"] == "wild-league:local"}
    assert set(ours) == {"web", "stream", "worker", "beat", "migrate"}
    for service in ours.values():
        assert service["read_only"] is True
        for name in ("DATABASE_URL", "WILD_SECRET_KEY", "WILD_METRICS_TOKEN"):
            assert service["environment"][f"{name}_FILE"] == f"/run/secrets/{name.removeprefix('WILD_').lower()}"
            assert name not in service["environment"]
        assert set(service["secrets"]) <= set(compose["secrets"])
    assert all("ports" not in service for name, service in compose["services"].items() if name != "proxy")
    assert all("container_name" not in service for service in ours.values()), "such a service cannot be scaled"


def test_each_service_is_begun_anew_by_itself_and_waits_for_no_other_of_ours(compose):
    ours = {name: one for name, one in compose["services"].items() if one["image"] == "wild-league:local"}
    for name in ("web", "stream", "worker", "beat"):
        assert ours[name]["restart"] == "unless-stopped", name
        assert set(ours[name]["depends_on"]) == {"migrate", "redis"}, name


def test_any_setting_can_be_given_to_all_of_ours_in_one_file(compose):
    fixed = {"WILD_URL", "REDIS_URL"}
    for name, service in compose["services"].items():
        if service["image"] == "wild-league:local":
            assert service["env_file"] == [{"path": "settings.env", "required": False}], name
            assert {one for one in service["environment"] if not one.endswith("_FILE")} == fixed, name
    assert "settings.env" in (DOCKER / ".gitignore").read_text()


def test_the_proxy_finds_as_many_stream_processes_as_the_environment_names(compose):
    assert compose["services"]["stream"]["deploy"] == {"replicas": "${WILD_STREAM_PROCESSES:-1}"}
    assert "dynamic a stream 8001" in (DOCKER / "Caddyfile").read_text()


@pytest.mark.parametrize(
    ("given", "processes", "ports"), [(None, 1, [8001]), (None, 3, [8001, 8002, 8003]), ([9], 3, [9])]
)
def test_production_begins_as_many_stream_processes_as_the_environment_names(given, processes, ports):
    assert runpy.run_path(str(DOCKER / "production.py"))["stream_ports"](given, processes) == ports


def test_secrets_are_made_once_and_fit_each_other(compose, tmp_path):
    script = shutil.copy(DOCKER / "secrets.sh", tmp_path)
    subprocess.run(["sh", script], check=True)
    made = {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()}
    assert set(made) == set(compose["secrets"])
    assert made["database_url"] == f"postgres://wild:{made['postgres_password']}@postgres:5432/wild"
    assert len({made["postgres_password"], made["secret_key"], made["metrics_token"]}) == 3
    assert len(made["secret_key"]) == 64
    subprocess.run(["sh", script], check=True)
    assert {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()} == made


def pin(folder, answer):
    """Run pin_images.sh on a copy with a `skopeo` that runs this line of shell."""
    for name in ("pin_images.sh", "compose.yaml", "Dockerfile"):
        shutil.copy(DOCKER / name, folder)
    (folder / "bin").mkdir(exist_ok=True)
    program = folder / "bin" / "skopeo"
    program.write_text(f"#!/bin/sh\n{answer}\n")
    program.chmod(0o755)
    environment = os.environ | {"PATH": f"{program.parent}:{os.environ['PATH']}"}
    return subprocess.run(["sh", folder / "pin_images.sh"], env=environment, capture_output=True, text=True)


def test_images_are_pinned_to_the_digests_of_their_registries_and_to_no_others(tmp_path):
    digest = "sha256:" + 4 * "0123456789abcdef"
    for silent in ("exit 1", "echo manifest unknown", "true", f"echo {digest}0"):
        done = pin(tmp_path, silent)
        assert done.returncode == 1
        assert "No digest of caddy:2: its registry doesn't answer. Nothing was changed." in done.stderr
    # The last of the images fails.
    done = pin(tmp_path, f'case "$*" in *python*) exit 1;; esac; echo {digest}')
    assert (done.returncode, (tmp_path / "compose.pinned.yaml").exists()) == (1, False)
    assert pin(tmp_path, f"echo {digest}").returncode == 0
    services = yaml.safe_load((tmp_path / "compose.pinned.yaml").read_text())["services"]
    assert {name: services[name]["image"] for name in ("proxy", "postgres", "redis")} == {
        "proxy": f"caddy:2@{digest}",
        "postgres": f"postgres:17@{digest}",
        "redis": f"redis:7@{digest}",
    }
    assert services["web"]["build"]["args"]["BASE"] == f"python:3.11-slim@{digest}"


def test_the_image_is_built_in_stages_from_the_hashed_lock_and_runs_as_nobody_special():
    text = (DOCKER / "Dockerfile").read_text()
    assert re.findall(r"^FROM (.*)$", text, re.M) == ["${BASE} AS build", "${BASE}"]
    assert "--require-hashes --no-deps -r /build/run.lock" in text
    assert re.findall(r"^USER (.*)$", text, re.M) == ["wild"]
    assert "HEALTHCHECK" in text
    assert re.findall(r"^VOLUME (.*)$", text, re.M) == ["/data"]
    assert "WILD_DATA=/data" in text and "WILD_IN_IMAGE=1" in text
    for copied in re.findall(r"^COPY (?!--from)(.*) \S+$", text, re.M):
        for name in copied.split():
            assert (settings.BASE_DIR / name).exists(), name


def test_the_image_alone_migrates_and_serves_without_demo_data_and_compose_names_its_own_commands(compose):
    [command] = re.findall(r"^CMD (.*)$", (DOCKER / "Dockerfile").read_text(), re.M)
    assert json.loads(command) == ["wild-league", "serve", "--host", "0.0.0.0", "--no-demo"]
    for name, service in compose["services"].items():
        assert service["image"] != "wild-league:local" or service["command"], name


class Ready(BaseHTTPRequestHandler):
    """Answers /readyz for one host name."""

    host = ""

    def do_GET(self):
        known = (self.path, self.headers["Host"]) == ("/readyz", self.host)
        self.send_response(200 if known else 503)
        self.end_headers()
        self.wfile.write(b"" if known else b"not ready")

    def log_message(self, *arguments):
        pass


@pytest.mark.parametrize(
    ("host", "line"),
    [
        ("example.org", 'WILD_ALLOWED_HOSTS = ".example.org, other.example"'),
        ("localhost", 'WILD_URL = "https://cards.example.org/"\nWILD_ALLOWED_HOSTS = "other.example"'),
        ("localhost", ""),
    ],
)
def test_the_health_check_asks_the_port_and_the_host_that_wild_toml_names(tmp_path, monkeypatch, host, line):
    monkeypatch.setattr(Ready, "host", host)
    environment = {"PATH": os.environ["PATH"], "WILD_DATA": str(tmp_path)}
    command = [sys.executable, DOCKER / "healthcheck.py"]

    def check(*arguments):
        done = subprocess.run([*command, *arguments], env=environment, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    with ThreadingHTTPServer(("127.0.0.1", 0), Ready) as server:
        threading.Thread(target=server.serve_forever).start()
        port = server.server_port
        (tmp_path / "wild.toml").write_text(f'WILD_BIND = "0.0.0.0:{port}"\n{line}\n')
        assert check() == (0, "")
        Ready.host = "elsewhere.example"
        code, why = check(str(port))
        server.shutdown()
    assert (code, why) == (1, "not ready\n")
    (tmp_path / "wild.toml").write_text('WILD_ALLOWED_HOSTS = "https://example.org"')
    code, why = check()
    assert code == 1 and why.startswith(f"{tmp_path}/wild.toml, line 1: WILD_ALLOWED_HOSTS takes host names"), why
