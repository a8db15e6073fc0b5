"""A program that uses the API, as a test writes it."""

import json

from django.test import Client

from league.accounts.tokens import make_token


class Program:
    """With a token of its own for an account, with a given secret, or with none."""

    def __init__(self, user=None, *, secret="", scope="write"):
        self.secret = make_token(user=user, scope=scope)[1] if user else secret
        self.client = Client()

    def headers(self):
        return {"Authorization": f"Token {self.secret}"} if self.secret else {}

    def ask(self, method, path, body=None, *, key="", raw=None, **extra):
        headers = self.headers() | ({"Idempotency-Key": key} if key else {})
        data = raw if raw is not None else b"" if body is None else json.dumps(body)
        return self.client.generic(method.upper(), path, data, "application/json", headers=headers, **extra)

    def get(self, path, status=200):
        return self._json(self.ask("get", path), status)

    def post(self, path, body=None, *, key="", status=200):
        return self._json(self.ask("post", path, body, key=key), status)

    def _json(self, answer, status):
        assert answer.status_code == status, (answer.status_code, answer.content.decode())
        problem = status >= 400
        assert answer.headers["Content-Type"] == ("application/problem+json" if problem else "application/json")
        given = answer.json()
        if problem:
            assert given["status"] == status and given["title"] and given["detail"] and given["code"]
            assert ("current" in given) == (status == 409)
        return given
