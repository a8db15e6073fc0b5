"""The settings of a service behind a proxy that speaks https."""

import os
import subprocess
import sys

import pytest
from django.conf import settings

pytestmark = pytest.mark.slow

SHOWN = ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_SSL_REDIRECT", "SECURE_HSTS_SECONDS")


def run(tmp_path, *arguments, **variables):
    command = [sys.executable, settings.BASE_DIR / "manage.py", *arguments]
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("WILD_", "DATABASE_", "DJANGO_ALLOW_"))
    }
    return subprocess.run(
        command, env=environment | {"WILD_DATA": str(tmp_path)} | variables, capture_output=True, text=True
    )


def test_djangos_check_for_deployment_has_nothing_to_say(tmp_path):
    done = run(tmp_path, "check", "--deploy", "--fail-level", "INFO", WILD_HTTPS="1")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""


@pytest.mark.parametrize(("https", "expected"), [("1", (True, True, True, 31536000)), ("", (False, False, False, 0))])
def test_https_turns_on_secure_cookies_redirects_and_hsts(https, expected, tmp_path):
    names = ", ".join(f"settings.{name}" for name in SHOWN)
    lines = f"from django.conf import settings; print(({names}))"
    assert run(tmp_path, "shell", "-v", "0", "-c", lines, WILD_HTTPS=https).stdout == f"{expected}\n"


@pytest.mark.django_db
def test_every_answer_says_what_browsers_may_do_with_it(client):
    for path in ("/", "/nowhere/", "/healthz", "/accounts/login/"):
        headers = client.get(path).headers
        assert headers["Referrer-Policy"] == "same-origin"
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"
        assert "default-src 'self'" in headers["Content-Security-Policy"]


@pytest.mark.django_db
def test_the_proxy_says_what_was_asked_for_over_https(client, settings):
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_HSTS_SECONDS = 31536000
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    assert client.get("/").headers["Location"] == "https://testserver/"
    answer = client.get("/", HTTP_X_FORWARDED_PROTO="https")
    assert answer.status_code == 200
    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"


def test_a_secret_comes_from_a_file_or_the_variable(tmp_path):
    (tmp_path / "address").write_text(f"sqlite:///{tmp_path}/from-a-file.sqlite3\n")
    (tmp_path / "key").write_text("the key from a file\n")
    lines = "from django.conf import settings; print(settings.DATABASES['default']['NAME'], settings.SECRET_KEY)"
    done = run(
        tmp_path, "shell", "-v", "0", "-c", lines,
        DATABASE_URL_FILE=str(tmp_path / "address"), WILD_SECRET_KEY_FILE=str(tmp_path / "key"),
    )  # fmt: skip
    assert done.stdout == f"{tmp_path}/from-a-file.sqlite3 the key from a file\n"
