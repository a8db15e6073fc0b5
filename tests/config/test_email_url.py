"""WILD_EMAIL_URL as Django's settings."""

import pytest

from config.variables.email_url import email_settings


def test_a_mail_server_with_everything_in_its_address():
    address = (
        "submission://cards%40example.org:a%2Fb%3Ac@mail.example.org:2587/"
        "?timeout=5&_default_from_email=Caf%C3%A9+Ludo+<cards@example.org>&_server_email=root@example.org"
    )
    assert email_settings(address) == {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": "mail.example.org",
        "EMAIL_PORT": 2587,
        "EMAIL_HOST_USER": "cards@example.org",
        "EMAIL_HOST_PASSWORD": "a/b:c",
        "EMAIL_USE_SSL": False,
        "EMAIL_USE_TLS": True,
        "EMAIL_TIMEOUT": 5,
        "EMAIL_FILE_PATH": "",
        "DEFAULT_FROM_EMAIL": "Café Ludo <cards@example.org>",
        "SERVER_EMAIL": "root@example.org",
    }


@pytest.mark.parametrize(
    ("address", "port", "implicit_tls", "start_tls"),
    [
        ("smtp://mail.example.org", 25, False, False),
        ("smtp://mail.example.org?tls=True", 25, False, True),
        ("smtp://mail.example.org:465?ssl=on", 465, True, False),
        ("submission://mail.example.org", 587, False, True),
        ("submission://mail.example.org:465?ssl=1", 465, True, False),
    ],
)
def test_encryption_and_port_follow_from_the_scheme_and_the_query(address, port, implicit_tls, start_tls):
    found = email_settings(address)
    assert (found["EMAIL_PORT"], found["EMAIL_USE_SSL"], found["EMAIL_USE_TLS"]) == (port, implicit_tls, start_tls)
    assert found["EMAIL_TIMEOUT"] == 10
    assert "DEFAULT_FROM_EMAIL" not in found


def test_mails_to_a_folder_and_to_the_terminal():
    file = email_settings("file:////var/mails")
    assert (file["EMAIL_BACKEND"], file["EMAIL_FILE_PATH"]) == (
        "django.core.mail.backends.filebased.EmailBackend",
        "/var/mails",
    )
    assert email_settings("console://")["EMAIL_BACKEND"] == "django.core.mail.backends.console.EmailBackend"


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("mail.example.org", "must begin with"),
        ("https://mail.example.org", "must begin with"),
        ("smtp://mail.example.org:mail", "whole numbers"),
        ("smtp://mail.example.org?timeout=long", "whole numbers"),
        ("smtp://user:pass/word@mail.example.org", "whole numbers"),
        ("smtp://user:pass[word@mail.example.org", "whole numbers"),
    ],
)
def test_a_wrong_address_is_refused_without_its_password(address, reason):
    with pytest.raises(ValueError, match=reason) as refused:
        email_settings(address)
    assert "word@" not in str(refused.value)
