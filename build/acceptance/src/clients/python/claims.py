# SPDX-License-Identifier: Apache-2.0
"""Uses the generated client against the server at SEMEL_URL, with the token SEMEL_TOKEN if there is one."""

import os

from openapi_client import ApiClient, ClaimsApi, Configuration, LedgerApi
from openapi_client.exceptions import ConflictException
from openapi_client.models import ClaimRequest, LedgerEntry, Problem, RenewRequest, Store, SucceedRequest

TOKEN = os.environ.get("SEMEL_TOKEN") or None
TENANT = os.environ["SEMEL_TENANT"]
KEY = os.environ["SEMEL_KEY"]
RESULT = {"receipt": 4711, "lines": [1, None, "é"]}
# In production the token identifies the caller.
CALLER = {} if TOKEN else {"x_organization_id": TENANT}

client = ApiClient(Configuration(host=os.environ["SEMEL_URL"], access_token=TOKEN))
claims = ClaimsApi(client)
ledger = LedgerApi(client)


def claim(fingerprint="one"):
    request = ClaimRequest(scope="clients.generated", key=KEY, fingerprint=fingerprint, store=Store.SEALED)
    return claims.claim_with_http_info(request, **CALLER)


def same(actual, expected):
    if actual != expected:
        raise AssertionError("%r is not %r" % (actual, expected))


first = claim()
same((first.status_code, first.data.status), (201, "claimed"))
same((first.data.attempt, first.data.origin.value), (1, "first"))

held = claim()
same((held.status_code, held.data.status, held.data.token), (202, "in_progress", None))
same(held.data.retry_after_ms > 0, True)

renewed = claims.renew(first.data.claim_id, RenewRequest(token=first.data.token, lease_seconds=60), **CALLER)
same((renewed.status, renewed.lease_seconds), ("in_progress", 60))

settled = claims.succeed(first.data.claim_id, SucceedRequest(token=first.data.token, result=RESULT), **CALLER)
same((settled.status, settled.claim_id), ("succeeded", first.data.claim_id))

replayed = claim()
same((replayed.status_code, replayed.data.status), (200, "succeeded"))
same((replayed.data.result, replayed.data.cached), (RESULT, True))
same(replayed.data.result_form.value, "exact")

try:
    claim(fingerprint="another")
    raise AssertionError("another fingerprint was accepted")
except ConflictException as conflict:
    problem = conflict.data
    same(type(problem), Problem)
    same((conflict.status, problem.status, problem.type), (409, 409, "/docs/problems/mismatch"))

event = {"org_id": TENANT, "event_type": "invoice.paid", "payload": {"amount": 100}}
written = ledger.ingest(LedgerEntry(idempotency_key=KEY, event=event), **CALLER)
same({name: written[name] for name in event}, event)

print("passed: claim, in progress, renew, settle, replay, mismatch, ledger")
