"""Requests made from the OpenAPI document, right ones and wrong ones: no fault of ours, answers as documented, and
nothing changed by a refusal. `WILD_FUZZ=20000` makes it that many requests instead of some hundred."""

import os
from collections import Counter

import pytest
import schemathesis
from django.apps import apps
from django.core.cache import cache
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from config.wsgi import application
from games.models import Hand
from league.accounts.tokens import make_token
from league.models import Table
from tests import cast

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(0), pytest.mark.slow]

FUZZ = int(os.environ.get("WILD_FUZZ") or 0)
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
MOSTLY = st.sampled_from([True] * 9 + [False])
# Cards and numbers that make a good part of the generated hands possible ones.
SEATS = st.lists(
    st.fixed_dictionaries(
        {"seat": st.integers(0, 4)},
        optional={
            "cards": st.none() | st.lists(st.sampled_from(["R7", "GD", "B6", "W", "WD", "Y1", "X9"]), max_size=4),
            "cards_left": st.none() | st.integers(0, 6),
            "points_left": st.none() | st.integers(0, 80),
        },
    ),
    max_size=4,
)
REPORT = {"hand": st.integers(1, 5), "went_out": st.none() | st.integers(0, 4), "seats": SEATS}


@pytest.fixture(autouse=True)
def connection_stays_open():
    """Beyond the end of a request, as the test client sees to."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


def state():
    """All that is stored, but for when a token was last used."""
    stored = []
    for model in apps.get_models(include_auto_created=True):
        columns = [field.attname for field in model._meta.concrete_fields if field.name != "last_used_at"]
        stored.append(sorted(map(repr, model._base_manager.values_list(*columns))))
    return stored


def test_whatever_is_asked_is_answered_as_documented_and_a_refusal_changes_nothing():
    schema = schemathesis.openapi.from_wsgi("/api/schema/?format=json", application)
    operations = [result.ok() for result in schema.get_all_operations()]
    # Twice, since what it takes most of all is a hand that can be.
    operations += [one for one in operations if one.method == "post" and one.path.endswith("/hands/")]
    running, final = cast.play(cast.tournament(), rounds=1), cast.play(cast.tournament(4, rounds=1))
    cast.record(cast.table(cast.play(running, 2), 3, 1), 1)
    planned, hidden = cast.tournament(), cast.play(cast.tournament(visibility="private", owner=cast.someone_else()), 1)
    places = {
        "slug": [running.slug, running.slug, final.slug, planned.slug, hidden.slug],
        "table_id": list(Table.objects.exclude(round__state="draft").values_list("pk", flat=True)),
        "hand_id": list(Hand.objects.values_list("pk", flat=True)),
    }
    _token, secret = make_token(user=cast.organiser())
    before = state()
    answered = Counter()

    @settings(
        max_examples=FUZZ or 300,
        derandomize=not FUZZ,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    @given(st.data())
    def one_request(data):
        operation = data.draw(st.sampled_from(operations))
        mode = data.draw(st.sampled_from([GenerationMode.POSITIVE, GenerationMode.NEGATIVE]))
        case = data.draw(operation.as_strategy(generation_mode=mode))
        headers = {"Authorization": f"Token {secret}"} if data.draw(MOSTLY) else {}
        for name in places.keys() & (case.path_parameters or {}).keys():
            if data.draw(MOSTLY):
                case.path_parameters[name] = data.draw(st.sampled_from(places[name]))
        if isinstance(case.body, dict) and "seats" in case.body and data.draw(MOSTLY):
            case.body |= data.draw(st.fixed_dictionaries(REPORT))
        cache.clear()
        with transaction.atomic():
            response = case.call(headers=headers)
            answered[response.status_code] += 1
            if response.status_code >= 400:
                assert state() == before, (case.as_curl_command(), response.status_code)
            # Every request meets the same state, so that what fails can be repeated alone.
            transaction.set_rollback(True)
        case.validate_response(response, checks=CHECKS)

    one_request()
    assert {200, 201, 400, 401, 404, 409, 422} <= set(answered), answered
