# SPDX-License-Identifier: Apache-2.0
"""A client of the Semel server: an effect happens once, and every caller receives the same result.

    semel = Semel("http://127.0.0.1:8080")
    receipt = semel.run_once("card.charge", "order-17", lambda claim: charge("order-17"))

One file, standard library only, Python 3.8 or newer. Safe for use by many threads.
"""

import http.client
import json
import threading
import time
import urllib.error
import urllib.request

__all__ = [
    "Answer",
    "Claim",
    "Failed",
    "Incomplete",
    "InProgress",
    "Mismatch",
    "OutcomeUnknown",
    "OwnershipLost",
    "Refused",
    "Semel",
    "SemelError",
    "Unavailable",
    "Unsettled",
]

_LONGEST_WAIT = 20.0
_SHORTEST_PAUSE = 0.1
_LONGEST_PAUSE = 5.0
_LONGEST_REASON = 255


class SemelError(Exception):
    """The base class of all exceptions of this client."""


class Refused(SemelError):
    """The server refused the request: invalid input, no valid token, too large. Nothing has run.

    `status` is HTTP's, `type` the last part of the problem's type, `field` what is wrong.
    """

    def __init__(self, detail, status=0, type="", field=None):
        super().__init__(detail)
        self.status = status
        self.type = type
        self.field = field


class Unavailable(SemelError):
    """The server or its database is unavailable. `retry_after` is in seconds."""

    def __init__(self, detail, retry_after=1.0):
        super().__init__(detail)
        self.retry_after = retry_after


class Mismatch(SemelError):
    """The key was used with another fingerprint."""


class OwnershipLost(SemelError):
    """Another caller has become the owner of the claim. Nothing was written.

    `result` is what the work returned, if it ran to its end.
    """

    def __init__(self, detail, result=None):
        super().__init__(detail)
        self.result = result


class Unsettled(SemelError):
    """The work ran, but its outcome could not be stored. `result` is what it returned.

    If the server did not take the result, the claim is parked. If it did not answer, the next caller may run it again
    once the lease ends.
    """

    def __init__(self, detail, result):
        super().__init__(detail)
        self.result = result


class InProgress(SemelError):
    """Another caller owns the claim and did not finish in time. `retry_after` is in seconds."""

    def __init__(self, detail, retry_after):
        super().__init__(detail)
        self.retry_after = retry_after


class Failed(SemelError):
    """The work failed permanently. Raise it in the work; duplicates receive it with the stored result."""

    def __init__(self, result=None, detail="the work failed permanently"):
        super().__init__(detail)
        self.result = result


class OutcomeUnknown(SemelError):
    """It is not known whether the effect happened. Raise it in the work to park the claim until a person decides."""


class Incomplete(SemelError):
    """The work was done before, but its result is incomplete. `result` is the stored part, `note` says what is missing."""

    def __init__(self, result, note):
        super().__init__(note)
        self.result = result
        self.note = note


class Answer:
    """The answer to a claim.

    `status` is `claimed`, `succeeded`, `failed` or `in_progress`. With `claimed` there is a `claim`. With `succeeded` and
    `failed` there are `result`, `result_form` and, if something is missing, `result_note`. With `in_progress` there is
    `retry_after`, in seconds.
    """

    def __init__(self, semel, members):
        self.status = members["status"]
        self.claim = Claim(semel, members) if self.status == "claimed" else None
        self.result = members.get("result")
        self.result_form = members.get("result_form")
        self.result_note = members.get("result_note")
        self.retry_after = members.get("retry_after_ms", 0) / 1000.0


class Claim:
    """A claim that this caller owns until its lease ends. Every method raises OwnershipLost after that is lost.

    `lost` is an event that is set when a renewal in the background finds that the claim has another owner.
    """

    def __init__(self, semel, members):
        self._semel = semel
        self.claim_id = members["claim_id"]
        self.token = members["token"]
        self.attempt = members["attempt"]
        self.lease_seconds = members["lease_seconds"]
        self.fence = members["fence"]
        self.origin = members["origin"]
        self.lost = threading.Event()

    def renew(self, lease_seconds=None):
        """Renews the lease from now, and returns its length in seconds."""
        seconds = lease_seconds or self.lease_seconds
        body = _encoded({"token": self.token, "lease_seconds": seconds})
        return self._semel._post(self._path("renew"), body, min(self._semel._timeout, seconds / 3.0))["lease_seconds"]

    def succeed(self, result=None):
        """The work is done, with this result: any JSON."""
        self._settle("succeed", {"result": result})

    def fail(self, retryable, result=None):
        """The work failed. If it is retryable, the next caller runs it. Otherwise duplicates receive the result."""
        self._settle("fail", {"retryable": retryable} if result is None else {"retryable": retryable, "result": result})

    def park(self, reason):
        """It is not known whether the effect happened. No caller is granted the claim until a person decides."""
        text = "".join(c if c.isprintable() else " " for c in reason)[:_LONGEST_REASON]
        self._settle("park", {"reason": text or "no reason given"})

    def renewing(self):
        """A context in which the lease is renewed in the background, each time a third of it has passed."""
        return _Renewals(self)

    def _path(self, how):
        return "/v1/claims/%s/%s" % (self.claim_id, how)

    def _settle(self, how, members):
        # The same bytes each time: the server confirms a settlement that is sent again.
        body = _encoded(dict(members, token=self.token))
        self._semel._retrying(self._semel._settle_seconds, lambda left: self._semel._post(self._path(how), body))


class _Renewals:
    def __init__(self, claim):
        self._claim = claim
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="semel-renewals", daemon=True)

    def __enter__(self):
        self._thread.start()
        return self._claim

    def __exit__(self, *_):
        self._ended.set()

    def _run(self):
        pause = self._claim.lease_seconds / 3.0
        while not self._ended.wait(pause):
            try:
                self._claim.renew()
            except OwnershipLost:
                if not self._ended.is_set():
                    self._claim.lost.set()
                return
            except SemelError:
                # The next renewal or the settlement detects it. Settling after the lease still works if no other caller took over.
                continue


class Semel:
    """A server.

    `token` is the bearer token that production needs; `tenant` and `actor` are for development, which has none. `timeout`
    bounds one request, and `settle_seconds` how long a settlement is sent again while the server does not answer.
    """

    def __init__(self, url, token=None, tenant=None, actor=None, timeout=10.0, settle_seconds=60.0):
        self._url = url.rstrip("/")
        self._timeout = timeout
        self._settle_seconds = settle_seconds
        self._headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if token is not None:
            self._headers["Authorization"] = "Bearer " + token
        if tenant is not None:
            self._headers["X-Organization-Id"] = tenant
        if actor is not None:
            self._headers["X-Actor-Id"] = actor

    def claim(self, scope, key=None, wait_seconds=0.0, **more):
        """Claims a key or the `inputs`, and returns an Answer.

        `wait_seconds` is how long the server waits for a running owner, up to 30. `more` goes into the request: `inputs`,
        `user_text`, `also_known_as`, `fingerprint`, `store`, `lease_seconds`, `ttl_seconds`, `on_stale`.
        """
        body = dict(more, scope=scope, wait_ms=int(wait_seconds * 1000))
        if key is not None:
            body["key"] = key
        return Answer(self, self._post("/v1/claims", _encoded(body), self._timeout + wait_seconds))

    def run_once(self, scope, key, fn, wait_seconds=60.0, **more):
        """Runs `fn(claim)` once for the key and returns its result. Duplicates receive the stored result.

        While another caller runs it, this one waits up to `wait_seconds`, then raises InProgress. The lease is renewed
        while `fn` runs. If `fn` raises Failed, it failed permanently, and duplicates receive Failed too; if it raises
        OutcomeUnknown, the claim is parked. After any other exception the next caller runs it again. With
        `on_stale="reconcile"` look at `claim.origin` before doing anything.

        Raises Incomplete to a duplicate if not all of the result was stored, unless `store` asked for that.
        """
        answer = self._retrying(wait_seconds, lambda left: self._answered(scope, key, left, more))
        if answer.claim is not None:
            return self._run(answer.claim, fn)
        if answer.status == "failed":
            raise Failed(answer.result)
        if answer.result_note is not None and more.get("store") not in ("sanitised", "none"):
            raise Incomplete(answer.result, answer.result_note)
        return answer.result

    def _answered(self, scope, key, left, more):
        answer = self.claim(scope, key, wait_seconds=min(left, _LONGEST_WAIT), **more)
        if answer.status == "in_progress":
            raise InProgress("another caller is still running the work", answer.retry_after)
        return answer

    @staticmethod
    def _run(claim, fn):
        with claim.renewing():
            try:
                result = fn(claim)
            except Failed as failure:
                claim.fail(False, failure.result)
                raise
            except OutcomeUnknown as unknown:
                claim.park(str(unknown))
                raise
            except BaseException as failure:
                try:
                    claim.fail(True)
                except SemelError as unsettled:
                    # The work's own exception is more useful. The claim can be run again once its lease ends.
                    raise failure from unsettled
                raise
            try:
                claim.succeed(result)
            except OwnershipLost as lost:
                lost.result = result
                raise
            except Unavailable as unavailable:
                raise Unsettled("the work ran, but %s" % unavailable, result) from unavailable
            except (Refused, TypeError, ValueError) as unfit:
                # The effect has happened and must not happen again.
                claim.park("the work ran, but its result could not be stored")
                raise Unsettled("the work ran, but its result could not be stored: %s" % unfit, result) from unfit
            return result

    @staticmethod
    def _retrying(seconds, attempt):
        """Retries while the server is unavailable or another caller runs the work."""
        end = time.monotonic() + seconds
        while True:
            left = max(0.0, end - time.monotonic())
            try:
                return attempt(left)
            except (Unavailable, InProgress) as later:
                left = end - time.monotonic()
                if left <= 0:
                    raise
                # The server itself waits for a running owner, so the next request needs no pause.
                pause = later.retry_after if isinstance(later, Unavailable) else 0.0
                time.sleep(min(left, max(_SHORTEST_PAUSE, min(pause, _LONGEST_PAUSE))))

    def _post(self, path, body, timeout=None):
        request = urllib.request.Request(self._url + path, data=body, headers=self._headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=max(timeout or self._timeout, 1.0)) as response:
                return json.loads(response.read())
        except urllib.error.HTTPError as refused:
            raise _problem(refused) from None
        except (OSError, http.client.HTTPException) as broken:
            raise Unavailable("the server at %s does not answer: %s" % (self._url, broken), _SHORTEST_PAUSE) from broken


def _encoded(body):
    return json.dumps(body, allow_nan=False).encode("utf-8")


def _problem(refused):
    try:
        problem = json.loads(refused.read())
    except (ValueError, OSError, http.client.HTTPException):
        problem = {}
    if not isinstance(problem, dict):
        problem = {}
    kind = str(problem.get("type", "")).rsplit("/", 1)[-1]
    detail = problem.get("detail") or "HTTP status %d" % refused.code
    if kind == "ownership-lost":
        return OwnershipLost(detail)
    if kind == "mismatch":
        return Mismatch(detail)
    if kind == "outcome-unknown":
        return OutcomeUnknown(detail)
    if refused.code in (408, 429) or refused.code >= 500:
        seconds = refused.headers.get("Retry-After") or "1"
        return Unavailable(detail, float(seconds) if seconds.isdigit() else 1.0)
    return Refused(detail, refused.code, kind, problem.get("field"))
