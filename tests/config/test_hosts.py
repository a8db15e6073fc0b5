"""The public address: which hosts are served, and where links lead."""

import logging

import pytest
from django.core import mail
from django.test import Client

from config.variables import hosts
from config.variables.kinds import URL, Address, trusted_origins
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def public(settings):
    """A service with WILD_URL=http://cards.example.org:8080/."""
    settings.PUBLIC_HOST, settings.PUBLIC_ORIGIN = "cards.example.org:8080", "http://cards.example.org:8080"
    settings.LOCAL_HOSTS_ONLY, settings.ALLOWED_HOSTS = False, ["cards.example.org", "testserver"]


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("https://cards.example.org", Address("https", "cards.example.org", "/")),
        ("https://cards.example.org:443/", Address("https", "cards.example.org", "/")),
        ("http://192.168.1.5:8000", Address("http", "192.168.1.5:8000", "/")),
        ("https://Example.org:8443/uno", Address("https", "example.org:8443", "/uno/")),
        ("http://[::1]:8000/a/b/", Address("http", "[::1]:8000", "/a/b/")),
    ],
)
def test_an_address_has_a_port_only_if_it_is_unusual_and_a_path_that_ends_with_a_slash(text, address):
    assert URL.read(text) == address


@pytest.mark.parametrize(
    "text",
    ["cards.example.org", "ftp://a.example", "https://", "https://a.example/?q=1", "https://u:p@a.example",
     "https://a.example:x", "https://a.example/a b/", "https://a.example//uno/"],
)  # fmt: skip
def test_another_text_is_no_address(text):
    with pytest.raises(ValueError, match=r"takes an address such as https://cards\.example\.org/, not"):
        URL.read(text)


def test_a_host_with_subdomains_gives_origins_that_browsers_send():
    assert trusted_origins([".example.org", "*", "cards.example.net:8443", ".example.org"]) == [
        "https://example.org", "https://*.example.org", "https://cards.example.net:8443"
    ]  # fmt: skip


@pytest.mark.parametrize("host", ["192.168.1.20:8000", "[fe80::1]:8000", "localhost", "raspberry.local:80", "laptop"])
def test_addresses_of_a_local_network_are_served_without_a_setting(client, host):
    assert client.get("/", headers={"host": host}).status_code == 200


def test_another_host_gets_a_page_that_names_the_setting_and_one_line_in_the_log(client, monkeypatch, caplog):
    monkeypatch.setattr(hosts, "_noted", set())
    with caplog.at_level(logging.WARNING, logger="config.variables.hosts"):
        answers = [client.get(path, headers={"host": "cards.example.org"}) for path in ("/", "/accounts/login/")]
    assert [answer.status_code for answer in answers] == [400, 400]
    assert "Nothing is served at cards.example.org." in answers[0].text
    assert "set WILD_URL to its public address" in answers[0].text
    assert len(caplog.records) == 1
    assert "cards.example.org" in caplog.records[0].getMessage()


def test_a_host_that_is_none_gets_the_page_too(client):
    answer = client.get("/", headers={"host": "<b>.example"})
    assert answer.status_code == 400
    assert "<b>.example" not in answer.text


def test_the_page_is_in_the_visitors_language_and_a_problem_in_the_api(client):
    french = client.get("/", headers={"host": "cards.example.org", "accept-language": "fr"})
    assert "WILD_URL" in french.text and '<html lang="fr">' in french.text
    problem = client.get("/api/v1/tournaments/", headers={"host": "cards.example.org"})
    assert problem.status_code == 400
    assert "WILD_URL" in problem.json()["detail"]


def test_links_have_the_public_address_whatever_name_the_visitor_used(client, public):
    cast.organiser()
    client.post("/accounts/password/reset/", {"email": "olga@example.org"})
    assert "http://cards.example.org:8080/accounts/password/reset/key/" in mail.outbox[-1].body


@pytest.mark.parametrize("host", ["172.18.0.5:8000", "web:8000", "[fd00::5]:8000"])
def test_monitors_ask_each_process_by_its_own_address_without_https(client, public, settings, host):
    settings.SECURE_SSL_REDIRECT, settings.SECURE_SSL_HOST = True, settings.PUBLIC_HOST
    paths = ("/healthz", "/readyz", "/metrics", "/accounts/login/")
    assert [client.get(path, headers={"host": host}).status_code for path in paths] == [200, 200, 200, 301]
    assert client.get("/metrics", headers={"host": "old.example.org"}).status_code == 400


def test_the_page_for_another_host_leads_to_the_public_address(client, public):
    answer = client.get("/", headers={"host": "old.example.org"})
    assert answer.status_code == 400
    assert 'href="http://cards.example.org:8080/"' in answer.text


def test_a_form_behind_a_proxy_whose_address_is_not_set_names_the_setting(caplog):
    client = Client(enforce_csrf_checks=True, headers={"host": "laptop:8000"})
    client.get("/accounts/login/")
    refused = client.post("/accounts/login/", headers={"origin": "https://cards.example.org"})
    assert refused.status_code == 403
    assert "at https://cards.example.org, but the server expects http://laptop:8000." in refused.text
    assert "set WILD_URL" in refused.text
    assert [record.levelname for record in caplog.records if "WILD_URL" in record.getMessage()] == ["WARNING"]


def test_a_form_whose_browser_hides_its_page_says_where_to_open_it(caplog):
    client = Client(enforce_csrf_checks=True, headers={"origin": "null"})
    token = client.get("/accounts/login/").cookies["csrftoken"].value
    refused = client.post("/accounts/login/", {"csrfmiddlewaretoken": token})
    assert refused.status_code == 403
    assert "Your browser hides the address of its page" in refused.text and "WILD_URL" not in refused.text
    assert not [record for record in caplog.records if "WILD_URL" in record.getMessage()]
    assert "This form is too old" in client.post("/accounts/login/", headers={"origin": "http://testserver"}).text


def test_new_events_and_clubs_begin_with_the_zone_of_the_server(client, settings):
    settings.TIME_ZONE = "Europe/Lisbon"
    client.force_login(cast.organiser())
    assert "Europe/Lisbon" in client.get("/new/").text
    assert "Europe/Lisbon" in client.get("/clubs/new/").text
