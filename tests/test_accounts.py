"""Accounts through the pages: sign up, in and out, forget and change the password, change the e-mail, second step."""

import re
from typing import Any
from urllib.parse import urlencode

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from django.core import mail
from django.core.cache import cache
from django.core.mail.backends.smtp import EmailBackend
from django.test import Client

from league.accounts.tokens import make_token
from league.models import User
from league.roles.roles import invite, revoke_invitation
from tests import cast

pytestmark = pytest.mark.django_db

NEW_PASSWORD = "a-long-way-to-the-final"
WRONG = "Wrong e-mail or password."


def sign_in(client: Client, password: str = cast.PASSWORD, email: str = "olga@example.org", **more: str) -> Any:
    return client.post("/accounts/login/", {"login": email, "password": password, **more})


def sign_up(client: Client, email: str = "farah@example.org", **more: str) -> Any:
    filled = {"name": "Farah", "email": email, "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    return client.post("/accounts/signup/", filled | more)


def who(client: Client) -> str | None:
    """The e-mail of whoever is signed in."""
    user = User.objects.filter(pk=client.session.get("_auth_user_id", 0)).first()
    return user.email if user else None


def text(answer: Any) -> str:
    return answer.content.decode()


def link_in_the_mail() -> str:
    """The path of the only address in the last mail."""
    found: list[str] = re.findall(r"http://testserver(/\S+)", mail.outbox[-1].body)
    assert len(found) == 1, mail.outbox[-1].body
    return found[0]


@pytest.fixture
def olga() -> Client:
    """Signed in through the page."""
    cast.organiser()
    client = Client()
    assert sign_in(client).status_code == 302
    return client


# Signing up, in and out.


def test_who_signs_up_is_signed_in_and_gets_one_mail_to_verify_the_address() -> None:
    client = Client()
    answer = sign_up(client)
    assert (answer.status_code, answer["Location"]) == (302, "/")
    assert who(client) == "farah@example.org"
    assert User.objects.get(email="farah@example.org").name == "Farah"
    assert [one.to for one in mail.outbox] == [["farah@example.org"]]
    link = link_in_the_mail()
    assert "Is farah@example.org the address of Farah?" in text(client.get(link))
    assert client.post(link)["Location"] == "/accounts/"
    assert EmailAddress.objects.get(email="farah@example.org").verified


def test_a_mail_is_plain_text_in_our_words() -> None:
    sign_up(Client(), name="Émilie & Zoë")
    (sent,) = mail.outbox
    assert sent.subject == "Your account is ready"
    assert sent.body.startswith("Your account is ready.")
    assert "testserver" in sent.body and not getattr(sent, "alternatives", [])


def test_upper_and_lower_case_of_the_email_do_not_matter() -> None:
    client = Client()
    sign_up(client, email="Farah@Example.org")
    client.post("/accounts/logout/")
    assert who(client) is None
    assert sign_in(client, NEW_PASSWORD, "FARAH@example.ORG").status_code == 302
    assert who(client) == "farah@example.org"
    assert "An account with this address exists" in text(sign_up(Client(), email="farah@EXAMPLE.org"))
    assert User.objects.filter(email__iexact="farah@example.org").count() == 1


def test_passwords_are_hashed_with_argon2(settings: Any) -> None:
    from config import settings as ours

    settings.PASSWORD_HASHERS = ours.PASSWORD_HASHERS
    sign_up(Client())
    assert User.objects.get(email="farah@example.org").password.startswith("argon2$argon2id$")


@pytest.mark.parametrize(
    ("email", "password"), [("olga@example.org", "not-her-password"), ("nobody@example.org", cast.PASSWORD)]
)
def test_a_wrong_password_and_an_unknown_address_are_answered_alike(email: str, password: str) -> None:
    cast.organiser()
    client = Client()
    answer = sign_in(client, password, email)
    assert answer.status_code == 200 and WRONG in text(answer)
    assert who(client) is None


@pytest.mark.parametrize("weak", ["short", "password123", "farah@example.org"])
def test_a_weak_password_is_refused(weak: str) -> None:
    answer = sign_up(Client(), password1=weak, password2=weak)
    assert answer.status_code == 200 and 'id="id_password1-error"' in text(answer)
    assert not User.objects.exists()


def test_an_account_that_is_switched_off_is_told_so() -> None:
    User.objects.filter(pk=cast.organiser().pk).update(is_active=False)
    client = Client()
    answer = sign_in(client)
    assert answer["Location"] == "/accounts/inactive/"
    assert "Account disabled" in text(client.get("/accounts/inactive/"))
    assert who(client) is None


def test_a_superuser_made_in_the_shell_signs_in() -> None:
    User.objects.create_superuser("root@example.org", cast.PASSWORD)
    client = Client()
    sign_in(client, email="root@example.org")
    assert who(client) == "root@example.org"


def test_sign_up_can_be_closed(settings: Any) -> None:
    settings.SIGN_UP_OPEN = False
    assert "No new accounts" in text(Client().get("/accounts/signup/"))
    assert "No new accounts" in text(sign_up(Client()))
    assert not User.objects.exists()
    assert "Create an account" not in text(Client().get("/accounts/login/"))
    Client().post("/accounts/password/reset/", {"email": "nobody@example.org"})
    assert "/accounts/signup/" not in mail.outbox[-1].body


def test_an_invited_helper_creates_an_account_although_sign_up_is_closed(settings: Any) -> None:
    made = cast.tournament()
    invitation, secret = invite(to=made, kind="scorer", by=made.owner)
    settings.SIGN_UP_OPEN = False
    guest, join = Client(), f"/join/{secret}/"
    login = guest.post(join)["Location"]
    assert login.startswith("/accounts/login/") and "Create an account" in text(guest.get(login))
    for other in ("/join/made-up/", "/clubs/", "//example.org/join/", "no address"):
        assert "No new accounts" in text(sign_up(Client(), next=other))
    assert sign_up(guest, next=join)["Location"] == join
    guest.post(join)
    assert made.roles.get().user.email == "farah@example.org"
    revoke_invitation(invitation=invitation, by=made.owner)
    assert "No new accounts" in text(sign_up(Client(), email="ida@example.org", next=join))


# Signing up where mail goes out.


@pytest.fixture
def with_mail(settings: Any) -> None:
    settings.MAIL_GOES_OUT = True


def seen(answer: Any) -> tuple[Any, ...]:
    """What tells one answer from another one."""
    token = re.compile(r'name="csrfmiddlewaretoken" value="\w+"|nonce-[^\'"]+|nonce="[^"]+"')
    return (
        answer.status_code,
        answer.get("Location"),
        token.sub("", text(answer)),
        sorted(answer.cookies),
        sorted(name for name in answer.headers if name != "X-Request-ID"),
    )


@pytest.mark.usefixtures("with_mail")
def test_signing_up_tells_nobody_but_the_mail_whether_an_address_has_an_account() -> None:
    cast.organiser()
    new, known = Client(), Client()
    for form, path in ((True, "/accounts/signup/"), (False, "/accounts/confirm-email/")):
        answers = [
            sign_up(client, "olga@example.org" if client is known else "anna@example.org") if form else client.get(path)
            for client in (new, known)
        ]
        told = [str(seen(answer)).replace("anna@", "olga@") for answer in answers]
        assert told[0] == told[1]
    assert [(one.to, one.subject) for one in mail.outbox] == [
        (["anna@example.org"], "Finish your account"),
        (["olga@example.org"], "You already have an account"),
    ]
    assert "olga@example.org" in mail.outbox[-1].body and "/accounts/password/reset/" in mail.outbox[-1].body
    assert who(new) is who(known) is None
    # Nor does the password that was typed for it.
    told = [str(seen(sign_in(Client(), NEW_PASSWORD, f"{name}@example.org"))) for name in ("anna", "olga")]
    assert told[0].replace("anna", "olga") == told[1] and "open the link in its e-mail first" in told[0]


@pytest.mark.usefixtures("with_mail")
def test_a_new_account_that_waits_for_its_link_has_as_many_guesses_as_any() -> None:
    sign_up(Client())
    for _ in range(5):
        assert sign_in(Client(), NEW_PASSWORD, "farah@example.org").status_code == 200
    assert_asked_to_wait(sign_in(Client(), NEW_PASSWORD, "farah@example.org"))


@pytest.mark.usefixtures("with_mail")
def test_the_link_in_the_mail_signs_in_where_one_signed_up_and_leads_back() -> None:
    client = Client()
    assert sign_up(client, next=INVITED)["Location"] == "/accounts/confirm-email/"
    assert "Check your e-mail" in text(client.get("/accounts/confirm-email/"))
    assert client.post(link_in_the_mail())["Location"] == INVITED
    assert who(client) == "farah@example.org"
    assert sign_in(Client(), NEW_PASSWORD, "farah@example.org").status_code == 302


@pytest.mark.usefixtures("with_mail")
def test_the_link_opened_in_another_browser_lets_one_sign_in_there() -> None:
    sign_up(Client())
    other = Client()
    other.post(link_in_the_mail())
    assert who(other) is None
    assert sign_in(other, NEW_PASSWORD, "farah@example.org").status_code == 302


@pytest.mark.usefixtures("with_mail")
def test_who_lost_the_mail_gets_in_with_a_new_password() -> None:
    sign_up(Client())
    client = Client()
    client.post("/accounts/password/reset/", {"email": "farah@example.org"})
    form = client.get(link_in_the_mail())["Location"]
    client.post(form, {"password1": "not-" + NEW_PASSWORD, "password2": "not-" + NEW_PASSWORD})
    assert sign_in(client, "not-" + NEW_PASSWORD, "farah@example.org").status_code == 302
    assert EmailAddress.objects.get().verified


@pytest.mark.usefixtures("with_mail")
def test_accounts_made_by_a_command_or_before_mail_went_out_need_no_link(settings: Any) -> None:
    settings.MAIL_GOES_OUT = False
    sign_up(Client())
    settings.MAIL_GOES_OUT = True
    User.objects.create_superuser("root@example.org", cast.PASSWORD)
    assert sign_in(Client(), NEW_PASSWORD, "farah@example.org").status_code == 302
    assert sign_in(Client(), email="root@example.org").status_code == 302


# Where one goes afterwards.

INVITED = "/t/autumn-pairs/?a=1&b=2"


def test_who_was_sent_to_sign_in_comes_back_to_where_they_were(client: Client) -> None:
    cast.organiser()
    page = client.get(f"/accounts/login/?{urlencode({'next': INVITED})}")
    assert 'name="next" value="/t/autumn-pairs/?a=1&amp;b=2"' in text(page)
    assert sign_in(client, next=INVITED)["Location"] == INVITED


def test_the_way_back_survives_from_signing_in_over_to_signing_up(client: Client) -> None:
    page = text(client.get(f"/accounts/login/?{urlencode({'next': INVITED})}"))
    href = re.search(r'href="(/accounts/signup/\?next=[^"]+)"', page)
    assert href
    form = text(client.get(href[1].replace("&amp;", "&")))
    assert 'name="next" value="/t/autumn-pairs/?a=1&amp;b=2"' in form
    assert sign_up(client, next=INVITED)["Location"] == INVITED


@pytest.mark.parametrize(
    "elsewhere",
    ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)", "///evil.example"],
)
def test_nobody_is_sent_to_another_site(elsewhere: str) -> None:
    cast.organiser()
    assert sign_in(Client(), next=elsewhere)["Location"] == "/"
    assert sign_up(Client(), next=elsewhere)["Location"] == "/"
    signed_in = Client()
    sign_in(signed_in)
    assert signed_in.get("/accounts/login/", {"next": elsewhere})["Location"] == "/"
    assert signed_in.post("/accounts/logout/", {"next": elsewhere})["Location"] == "/"


def test_an_address_that_somebody_only_asked_to_change_to_is_still_its_owners(olga: Client) -> None:
    EmailAddress.objects.create(user=User.objects.get(), email="farah@example.org", verified=False, primary=False)
    Client().post("/accounts/password/reset/", {"email": "farah@example.org"})
    assert mail.outbox[-1].subject == "No account with this address"
    client = Client()
    assert sign_up(client).status_code == 302
    assert who(client) == "farah@example.org"
    Client().post("/accounts/password/reset/", {"email": "farah@example.org"})
    assert len([one for one in mail.outbox if one.subject == "Choose a new password"]) == 1


def test_an_address_that_is_too_long_is_refused_and_not_cut_off(olga: Client) -> None:
    long = f"{'x' * 250}@example.org"
    answer = sign_up(Client(), long)
    assert answer.status_code == 200 and "at most 254 characters" in text(answer)
    prove(olga, "/accounts/")
    answer = olga.post("/accounts/email/", {"email": long, "action_add": "1"})
    assert answer.status_code == 200 and "at most 254 characters" in text(answer)
    assert User.objects.count() == 1 and not EmailAddress.objects.filter(email=long).exists()


# The password.


def test_a_forgotten_password_is_replaced_by_the_link_in_a_mail_which_works_once() -> None:
    cast.organiser()
    client = Client()
    answer = client.post("/accounts/password/reset/", {"email": "Olga@example.org"})
    assert answer["Location"] == "/accounts/password/reset/done/"
    link = link_in_the_mail()
    form = client.get(link)["Location"]
    assert "Choose a new password" in text(client.get(form))
    fresh = {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    assert client.post(form, fresh)["Location"] == "/accounts/password/reset/key/done/"
    assert "Password changed" in text(client.get("/accounts/password/reset/key/done/"))
    assert mail.outbox[-1].subject == "Your password was changed"
    assert WRONG in text(sign_in(Client()))
    assert sign_in(Client(), NEW_PASSWORD).status_code == 302
    assert "Invalid link" in text(Client().get(link))


def test_a_new_password_by_mail_ends_the_tokens_that_somebody_else_may_have_made() -> None:
    sign_up(Client(), "olga@example.org")  # with an address that is not theirs
    intruder, _secret = make_token(user=User.objects.get())
    other, _secret = make_token(user=cast.someone_else())
    client = Client()
    client.post("/accounts/password/reset/", {"email": "olga@example.org"})
    form = client.get(link_in_the_mail())["Location"]
    done = client.post(form, {"password1": "not-" + NEW_PASSWORD, "password2": "not-" + NEW_PASSWORD}, follow=True)
    assert "Your API tokens were revoked." in text(done)
    intruder.refresh_from_db()
    other.refresh_from_db()
    assert intruder.revoked_at is not None and other.revoked_at is None


@pytest.mark.parametrize(
    ("ports", "host"), [({}, "testserver"), ({"testserver": "8443"}, "testserver:8443"), ({"other": "1"}, "testserver")]
)
def test_behind_https_a_link_in_a_mail_takes_no_port_from_the_request(
    ports: dict[str, str], host: str, settings: Any
) -> None:
    cast.organiser()
    settings.HTTPS, settings.HOST_PORTS = True, ports
    for asked in ("testserver:6666", "testserver"):
        Client(HTTP_HOST=asked).post("/accounts/password/reset/", {"email": "olga@example.org"})
        assert f"http://{host}/accounts/password/reset/key/" in mail.outbox[-1].body


def test_without_https_the_port_stays(settings: Any) -> None:
    cast.organiser()
    Client(HTTP_HOST="testserver:8080").post("/accounts/password/reset/", {"email": "olga@example.org"})
    assert "http://testserver:8080/accounts/" in mail.outbox[-1].body


def test_who_has_no_account_is_told_by_mail_and_not_on_the_page() -> None:
    answer = Client().post("/accounts/password/reset/", {"email": "nobody@example.org"})
    assert answer["Location"] == "/accounts/password/reset/done/"
    assert mail.outbox[-1].subject == "No account with this address"


def test_without_a_mail_server_the_page_says_where_the_link_is(settings: Any) -> None:
    assert "This service sends no e-mail" in text(Client().get("/accounts/password/reset/"))
    settings.MAIL_GOES_OUT = True
    assert "This service sends no e-mail" not in text(Client().get("/accounts/password/reset/"))


def test_the_page_to_sign_in_promises_a_mail_only_where_one_goes_out(settings: Any) -> None:
    assert "Reset by e-mail" not in text(Client().get("/accounts/login/"))
    settings.MAIL_GOES_OUT = True
    assert "Reset by e-mail" in text(Client().get("/accounts/login/"))


def test_a_mail_server_that_does_not_answer_is_said_and_breaks_nothing(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    def refuse(*_args: Any, **_kwargs: Any) -> None:
        raise ConnectionRefusedError

    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    monkeypatch.setattr(EmailBackend, "open", refuse)
    client = Client()
    assert sign_up(client).status_code == 302
    assert who(client) == "farah@example.org"
    assert "The e-mail couldn’t be sent" in text(client.get("/"))


def test_the_password_is_changed_by_who_knows_the_present_one(olga: Client) -> None:
    fresh = {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    refused = olga.post("/accounts/password/change/", {"oldpassword": "wrong", **fresh})
    assert "Wrong current password." in text(refused)
    answer = olga.post("/accounts/password/change/", {"oldpassword": cast.PASSWORD, **fresh})
    assert answer["Location"] == "/accounts/"
    assert who(olga) == "olga@example.org"
    assert sign_in(Client(), NEW_PASSWORD).status_code == 302


def test_an_account_without_a_password_is_asked_to_choose_one() -> None:
    user = cast.organiser()
    user.set_unusable_password()
    user.save()
    client = Client()
    client.force_login(user)
    assert client.get("/accounts/password/change/")["Location"] == "/accounts/password/set/"
    assert "Your account has none yet." in text(client.get("/accounts/password/set/"))
    client.post("/accounts/password/set/", {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD})
    assert sign_in(Client(), NEW_PASSWORD).status_code == 302


# The e-mail.


def prove(client: Client, to: str) -> Any:
    """Type the password again, as is asked for before anything that concerns the safety of the account."""
    return client.post("/accounts/reauthenticate/", {"password": cast.PASSWORD, "next": to})


def test_a_new_email_counts_when_its_link_was_opened_and_the_old_one_is_told(olga: Client) -> None:
    asked = olga.post("/accounts/email/", {"email": "olga@cards.example", "action_add": "1"})
    assert asked["Location"].startswith("/accounts/reauthenticate/")
    prove(olga, "/accounts/email/")
    assert mail.outbox[-1].to == ["olga@cards.example"]
    assert sign_in(Client(), email="olga@example.org").status_code == 302
    page = text(olga.get("/accounts/email/"))
    assert "olga@cards.example" in page and "Replaces it once verified." in page
    olga.post(link_in_the_mail())
    assert User.objects.get(name="Olga").email == "olga@cards.example"
    assert mail.outbox[-1].to == ["olga@example.org"]
    assert sign_in(Client(), email="olga@cards.example").status_code == 302
    assert WRONG in text(sign_in(Client(), email="olga@example.org"))


def test_an_address_that_got_an_account_meanwhile_is_not_taken_over(olga: Client) -> None:
    prove(olga, "/accounts/email/")
    olga.post("/accounts/email/", {"email": "sven@example.org", "action_add": "1"})
    link = link_in_the_mail()
    cast.someone_else()
    answer = olga.post(link)
    assert answer.status_code in (200, 302)
    assert User.objects.get(name="Olga").email == "olga@example.org"
    assert "sven@example.org belongs to another account" in text(olga.get("/accounts/"))


def test_a_change_of_email_can_be_taken_back(olga: Client) -> None:
    prove(olga, "/accounts/email/")
    olga.post("/accounts/email/", {"email": "olga@cards.example", "action_add": "1"})
    link = link_in_the_mail()
    olga.post("/accounts/email/", {"email": "olga@cards.example", "action_remove": "1"})
    assert "Invalid link" in text(olga.get(link))
    assert "olga@cards.example" not in text(olga.get("/accounts/email/")).partition("</h1>")[2]
    assert sign_in(Client()).status_code == 302


def test_only_the_link_in_the_mail_changes_the_email(olga: Client) -> None:
    prove(olga, "/accounts/email/")
    olga.post("/accounts/email/", {"email": "olga@cards.example", "action_add": "1"})
    olga.post("/accounts/email/", {"email": "olga@cards.example", "action_primary": "1"})
    olga.post("/accounts/email/", {"email": "olga@example.org", "action_remove": "1"})
    assert User.objects.get(name="Olga").email == "olga@example.org"
    assert EmailAddress.objects.filter(email="olga@example.org").exists()


def test_the_present_email_is_verified_without_touching_a_change_that_waits(olga: Client) -> None:
    prove(olga, "/accounts/email/")
    olga.post("/accounts/email/", {"email": "olga@example.org", "action_send": "1"})
    link = link_in_the_mail()
    olga.post("/accounts/email/", {"email": "olga@cards.example", "action_add": "1"})
    olga.post(link)
    assert dict(EmailAddress.objects.values_list("email", "verified")) == {
        "olga@example.org": True,
        "olga@cards.example": False,
    }


# The account's own page.


def test_the_top_bar_leads_to_the_account_and_the_account_to_everything_else(olga: Client) -> None:
    assert 'href="/accounts/">Olga</a>' in text(olga.get("/"))
    page = text(olga.get("/accounts/"))
    for path in ("/accounts/email/", "/accounts/password/change/", "/accounts/2fa/", "/accounts/logout/"):
        assert f'"{path}"' in page, path


def test_a_name_is_needed_for_else_everybody_would_see_the_email() -> None:
    assert 'id="id_name-error"' in text(sign_up(Client(), name=" "))
    assert not User.objects.exists()


def test_a_name_is_changed_and_a_damaged_one_is_refused(olga: Client) -> None:
    assert olga.post("/accounts/", {"name": " Olga  Đorđević "}).status_code == 302
    assert "Olga Đorđević" in text(olga.get("/"))
    assert olga.post("/accounts/", {"name": "Ol\x07ga"}).status_code == 422


# The second step.


def secret_on(page: Any) -> str:
    found = re.search(r'<code class="secret">([A-Z2-7]+)</code>', text(page))
    assert found
    return found[1]


def code_for(secret: str) -> str:
    return str(totp.format_hotp_value(totp.hotp_value(secret, next(totp.yield_hotp_counters_from_time()))))


def enrol(client: Client) -> str:
    """Switch the authenticator app on; returns its secret."""
    prove(client, "/accounts/2fa/totp/activate/")
    secret = secret_on(client.get("/accounts/2fa/totp/activate/"))
    answer = client.post("/accounts/2fa/totp/activate/", {"code": code_for(secret)})
    assert answer["Location"] == "/accounts/2fa/recovery-codes/"
    return secret


def recovery_codes(client: Client) -> list[str]:
    return re.findall(r'<code class="secret">(\d{8})</code>', text(client.get("/accounts/2fa/recovery-codes/")))


@pytest.mark.django_db(transaction=True)
def test_an_authenticator_app_is_asked_for_after_the_password(olga: Client) -> None:
    enrol(olga)
    assert [one.subject for one in mail.outbox] == ["Authenticator app on"]
    client = Client()
    answer = sign_in(client, next=INVITED)
    assert answer["Location"].startswith("/accounts/2fa/authenticate/")
    assert who(client) is None
    assert "Wrong code." in text(client.post(answer["Location"], {"code": "000000"}))
    assert who(client) is None
    cache.clear()  # the code that enrolled is spent for half a minute
    secret = Authenticator.objects.get(type=Authenticator.Type.TOTP).data["secret"]
    assert client.post(answer["Location"], {"code": code_for(secret)})["Location"] == INVITED
    assert who(client) == "olga@example.org"


@pytest.mark.django_db(transaction=True)
def test_a_code_of_the_app_works_once_for_as_long_as_it_fits(olga: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    code = code_for(enrol(olga))
    client, thief = Client(), Client()
    step = sign_in(client)["Location"]
    assert client.post(step, {"code": code}).status_code == 302
    cache.delete(f"allauth.mfa.totp.used?user={User.objects.get().pk}&code={code}")  # as after half a minute
    sign_in(thief)
    assert "Wrong code." in text(thief.post(step, {"code": f"{code[:3]} {code[3:]}"}))
    assert who(thief) is None


def test_a_recovery_code_signs_in_once(olga: Client) -> None:
    enrol(olga)
    first, *others = recovery_codes(olga)
    assert len(others) == 9
    client = Client()
    step = sign_in(client)["Location"]
    client.post(step, {"code": first})
    assert who(client) == "olga@example.org"
    again = Client()
    step = sign_in(again)["Location"]
    assert "Wrong code." in text(again.post(step, {"code": first}))
    assert recovery_codes(olga) == others
    download = olga.get("/accounts/2fa/recovery-codes/download/")
    assert text(download).split() == others
    assert download["Content-Type"].startswith("text/plain")


def test_switched_off_the_password_is_enough_again(olga: Client) -> None:
    enrol(olga)
    assert olga.post("/accounts/2fa/totp/deactivate/")["Location"] == "/accounts/2fa/"
    client = Client()
    sign_in(client)
    assert who(client) == "olga@example.org"
    assert not Authenticator.objects.exists()


def test_the_second_step_asks_for_the_password_first(olga: Client) -> None:
    for path in ("totp/activate/", "passkeys/add/"):
        assert olga.get(f"/accounts/2fa/{path}")["Location"].startswith("/accounts/reauthenticate/"), path


def test_where_mail_goes_out_a_second_step_needs_a_verified_address(settings: Any) -> None:
    settings.MFA_ALLOW_UNVERIFIED_EMAIL = False
    client = Client()
    sign_up(client)
    answer = client.get("/accounts/2fa/totp/activate/", follow=True)
    assert "Verify your e-mail address first" in text(answer)
    client.post(link_in_the_mail())
    assert client.get("/accounts/2fa/totp/activate/")["Location"].startswith("/accounts/reauthenticate/")


def test_the_pages_of_passkeys_need_no_inline_script(olga: Client) -> None:
    prove(olga, "/accounts/2fa/passkeys/add/")
    for page in (olga.get("/accounts/2fa/passkeys/add/"), Client().get("/accounts/login/")):
        assert page.status_code == 200
        scripts = re.findall(r"<script([^>]*)>", text(page))
        assert any("passkeys.js" in one for one in scripts)
        assert all("src=" in one or 'type="application/json"' in one for one in scripts)
        assert "style=" not in text(page) and "unsafe" not in page["Content-Security-Policy"]


@pytest.mark.parametrize(
    "answer",
    [
        '{"id": "YQ"}',
        '{"id": 1, "rawId": "x", "response": {}, "type": "public-key"}',
        '{"id": "YQ", "rawId": "YQ", "response": {"attestationObject": "YQ", "clientDataJSON": "e30"}}',
        '["YQ"]',
        '"\\u0000"',
    ],
)
def test_what_is_no_answer_of_a_passkey_is_refused_and_no_fault(olga: Client, answer: str) -> None:
    stranger = Client()
    stranger.get("/accounts/2fa/passkeys/login/")
    assert stranger.post("/accounts/2fa/passkeys/login/", {"credential": answer}).status_code == 302
    assert who(stranger) is None
    prove(olga, "/accounts/2fa/passkeys/add/")
    for path in ("add", "reauthenticate"):
        olga.get(f"/accounts/2fa/passkeys/{path}/")
        assert olga.post(f"/accounts/2fa/passkeys/{path}/", {"credential": answer}).status_code in (200, 302), path
    assert not Authenticator.objects.exists()


def test_somebody_elses_passkey_is_not_there(olga: Client) -> None:
    key = Authenticator.objects.create(user=cast.someone_else(), type=Authenticator.Type.WEBAUTHN, data={"name": "Key"})
    prove(olga, "/accounts/")
    for path in ("edit", "remove"):
        assert olga.get(f"/accounts/2fa/passkeys/{key.pk}/{path}/").status_code == 404
        assert olga.post(f"/accounts/2fa/passkeys/{key.pk}/{path}/", {"name": "Mine"}).status_code == 404
    assert Authenticator.objects.filter(pk=key.pk).exists()


# Too many tries.


def assert_asked_to_wait(answer: Any) -> None:
    assert answer.status_code == 429
    assert answer["Retry-After"] == "60"
    assert "Wait a minute" in text(answer)


def test_five_wrong_passwords_for_one_account_are_followed_by_a_pause() -> None:
    cast.organiser()
    for _ in range(5):
        assert sign_in(Client(), "wrong").status_code == 200
    assert_asked_to_wait(sign_in(Client(), "wrong"))
    assert_asked_to_wait(sign_in(Client()))


def at(address: str, **more: str) -> Client:
    """A browser at an address."""
    return Client(REMOTE_ADDR=address, **more)


def try_wrong_passwords(times: int, address: str) -> None:
    for _ in range(times):
        sign_in(at(address), "wrong")


def test_wrong_passwords_from_elsewhere_keep_nobody_out() -> None:
    cast.organiser()
    try_wrong_passwords(6, "192.0.2.66")
    assert_asked_to_wait(sign_in(at("192.0.2.66")))
    assert sign_in(at("192.0.2.1")).status_code == 302


def test_a_browser_in_which_one_has_signed_in_is_not_kept_out_by_others_in_the_same_hall(olga: Client) -> None:
    olga.post("/accounts/logout/")
    for number in range(40):
        sign_in(Client(), "wrong", f"nobody{number}@example.org" if number % 2 else "olga@example.org")
    assert_asked_to_wait(sign_in(Client()))
    assert sign_in(olga).status_code == 302
    olga.post("/accounts/logout/")
    for _ in range(5):
        assert sign_in(olga, "wrong").status_code == 200
    assert_asked_to_wait(sign_in(olga))


def test_guesses_from_many_addresses_are_counted_together_but_for_known_browsers(olga: Client) -> None:
    olga.post("/accounts/logout/")
    for number in range(7):
        try_wrong_passwords(5, f"192.0.2.{number}")
    assert_asked_to_wait(sign_in(at("192.0.2.99")))
    assert sign_in(olga).status_code == 302


def test_the_cookie_of_a_browser_counts_for_its_own_accounts_alone_and_cannot_be_made_up(olga: Client) -> None:
    cast.someone_else()
    try_wrong_passwords(6, "127.0.0.1")
    sven, forger = Client(), Client()
    sven.cookies["known_device"] = olga.cookies["known_device"].value
    sign_in(sven, "wrong", "sven@example.org")
    forger.cookies["known_device"] = "WyJhYiIsWzFdXQ:1:x"
    assert_asked_to_wait(sign_in(forger))
    for _ in range(10):
        sign_in(at("192.0.2.5"), "wrong", "sven@example.org")
    sven.defaults["REMOTE_ADDR"] = "192.0.2.5"
    assert_asked_to_wait(sign_in(sven, "wrong", "sven@example.org"))


def test_another_port_in_the_address_gives_no_more_guesses() -> None:
    cast.organiser()
    for port in range(5):
        sign_in(Client(HTTP_HOST=f"testserver:{8000 + port}"), "wrong")
    assert_asked_to_wait(sign_in(Client(HTTP_HOST="testserver:9000"), "wrong"))


def test_a_new_password_by_mail_ends_the_pause() -> None:
    cast.organiser()
    try_wrong_passwords(6, "127.0.0.1")
    client = Client()
    client.post("/accounts/password/reset/", {"email": "olga@example.org"})
    form = client.get(link_in_the_mail())["Location"]
    client.post(form, {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD})
    assert sign_in(Client(), NEW_PASSWORD).status_code == 302


def test_ten_wrong_tries_from_one_place_are_followed_by_a_pause() -> None:
    for number in range(10):
        assert sign_in(Client(), "wrong", f"nobody{number}@example.org").status_code == 200
    assert_asked_to_wait(sign_in(Client(), "wrong", "another@example.org"))


def test_wrong_codes_are_followed_by_a_pause(olga: Client) -> None:
    enrol(olga)
    client = Client()
    step = sign_in(client)["Location"]
    for _ in range(5):
        assert client.post(step, {"code": "000000"}).status_code == 200
    assert_asked_to_wait(client.post(step, {"code": "000000"}))


def test_many_right_passwords_are_no_wrong_ones() -> None:
    cast.organiser()
    for _ in range(12):
        assert sign_in(Client()).status_code == 302


# Where mail goes.


def test_mail_goes_to_stderr_without_a_mail_server(settings: Any, capsys: pytest.CaptureFixture[str]) -> None:
    settings.EMAIL_BACKEND = "config.mail.StderrBackend"
    sign_up(Client())
    written = capsys.readouterr()
    assert "Subject: Your account is ready" in written.err
    assert written.out == ""
