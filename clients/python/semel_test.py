# SPDX-License-Identifier: Apache-2.0
"""Runs the client against the server at SEMEL_URL, with the token SEMEL_TOKEN if it is set."""

import os
import socket
import threading
import unittest
import uuid

from semel import (
    Failed,
    Incomplete,
    InProgress,
    Mismatch,
    OutcomeUnknown,
    OwnershipLost,
    Refused,
    Semel,
    Unavailable,
    Unsettled,
)

URL = os.environ["SEMEL_URL"]
TOKEN = os.environ.get("SEMEL_TOKEN") or None
SCOPE = "clients.python"


def connected(url=URL, **more):
    return Semel(url, token=TOKEN, tenant=None if TOKEN else "python", **more)


class Proxy:
    """Forwards connections to the server, and closes the first ones without forwarding the answer."""

    def __init__(self, path, cuts):
        host, port = URL.replace("http://", "").split(":")
        self._server = (host, int(port))
        self._path = path.encode()
        self._cuts = cuts
        self.seen = []
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = "http://127.0.0.1:%d" % self._socket.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                client, _ = self._socket.accept()
            except OSError:
                return
            with client:
                self._forward(client)

    def _forward(self, client):
        request = _message(client)
        with socket.create_connection(self._server) as upstream:
            upstream.sendall(request)
            answer = _message(upstream)
        if self._path in request.split(b"\r\n", 1)[0]:
            self.seen.append(request.split(b"\r\n\r\n", 1)[1])
            if len(self.seen) <= self._cuts:
                return
        client.sendall(answer)

    def close(self):
        self._socket.close()


def _message(connection):
    data = b""
    while b"\r\n\r\n" not in data:
        data += connection.recv(65536)
    head, body = data.split(b"\r\n\r\n", 1)
    length = 0
    for line in head.split(b"\r\n"):
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    while len(body) < length:
        body += connection.recv(65536)
    return head + b"\r\n\r\n" + body


class SemelTest(unittest.TestCase):
    def setUp(self):
        self.semel = connected()
        self.key = str(uuid.uuid4())
        self.runs = []

    def work(self, claim):
        self.runs.append(claim.attempt)
        return {"receipt": 4711, "password": "kept", "lines": [1, None, "é"]}

    def test_first_run_and_replay(self):
        first = self.semel.run_once(SCOPE, self.key, self.work)
        again = self.semel.run_once(SCOPE, self.key, self.work)
        self.assertEqual(first, {"receipt": 4711, "password": "kept", "lines": [1, None, "é"]})
        self.assertEqual(again, first)
        self.assertEqual(self.runs, [1])

    def test_two_at_once_run_it_once(self):
        both = threading.Barrier(2)
        results = []

        def work(claim):
            # The other caller receives "in progress" before this ends.
            self.assertEqual(self.semel.claim(SCOPE, self.key).status, "in_progress")
            return self.work(claim)

        def caller():
            both.wait()
            results.append(self.semel.run_once(SCOPE, self.key, work))

        threads = [threading.Thread(target=caller) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        self.assertEqual(self.runs, [1])
        self.assertEqual(len(results), 2)
        self.assertEqual(results[0], results[1])

    def test_a_failure_is_run_again(self):
        def breaks(claim):
            self.runs.append(claim.attempt)
            raise ValueError("the network is down")

        with self.assertRaisesRegex(ValueError, "the network is down"):
            self.semel.run_once(SCOPE, self.key, breaks)
        self.semel.run_once(SCOPE, self.key, self.work)
        self.assertEqual(self.runs, [1, 2])

    def test_a_failure_for_good_is_replayed(self):
        def declined(claim):
            self.runs.append(claim.attempt)
            raise Failed({"code": "declined"})

        for _ in range(2):
            with self.assertRaises(Failed) as failed:
                self.semel.run_once(SCOPE, self.key, declined)
            self.assertEqual(failed.exception.result, {"code": "declined"})
        self.assertEqual(self.runs, [1])

    def test_an_unknown_outcome_is_parked(self):
        def unknown(claim):
            raise OutcomeUnknown("the bank\ntimed out" + "!" * 300)

        with self.assertRaises(OutcomeUnknown):
            self.semel.run_once(SCOPE, self.key, unknown)
        with self.assertRaisesRegex(OutcomeUnknown, "the bank timed out"):
            self.semel.run_once(SCOPE, self.key, self.work)
        self.assertEqual(self.runs, [])

    def test_a_lost_claim_is_told_while_the_work_runs_and_at_its_end(self):
        def overtaken(claim):
            claim.fail(True)
            other = self.semel.claim(SCOPE, self.key).claim
            self.assertEqual(other.attempt, 2)
            self.assertTrue(claim.lost.wait(30), "a renewal detects the loss")
            return "late"

        with self.assertRaises(OwnershipLost) as lost:
            self.semel.run_once(SCOPE, self.key, overtaken, lease_seconds=1)
        self.assertEqual(lost.exception.result, "late")

    def test_a_lease_is_renewed_while_the_work_runs(self):
        def long(claim):
            # More than twice the lease. No other caller is granted the claim during that time.
            self.assertEqual(self.semel.claim(SCOPE, self.key, wait_seconds=2.5).status, "in_progress")
            self.assertFalse(claim.lost.is_set())
            return self.work(claim)

        self.semel.run_once(SCOPE, self.key, long, lease_seconds=1)
        self.assertEqual(self.semel.run_once(SCOPE, self.key, self.work)["receipt"], 4711)
        self.assertEqual(self.runs, [1])

    def test_a_claim_by_hand(self):
        claim = self.semel.claim(SCOPE, self.key, lease_seconds=30).claim
        self.assertEqual(claim.renew(120), 120)
        claim.succeed([1])
        claim.succeed([1])
        with self.assertRaises(OwnershipLost):
            claim.succeed([2])
        replay = self.semel.claim(SCOPE, self.key)
        self.assertEqual((replay.status, replay.result, replay.result_note), ("succeeded", [1], None))

    def test_waiting_is_bounded(self):
        self.semel.claim(SCOPE, self.key)
        with self.assertRaises(InProgress) as later:
            self.semel.run_once(SCOPE, self.key, self.work, wait_seconds=0.3)
        self.assertGreater(later.exception.retry_after, 0)
        self.assertEqual(self.runs, [])

    def test_a_settlement_without_an_answer_is_sent_again(self):
        proxy = Proxy("/succeed", cuts=2)
        try:
            client = connected(proxy.url)
            client.run_once(SCOPE, self.key, self.work)
        finally:
            proxy.close()
        self.assertEqual(len(proxy.seen), 3)
        self.assertEqual(len(set(proxy.seen)), 1)
        self.assertEqual(self.semel.claim(SCOPE, self.key).result["receipt"], 4711)
        self.assertEqual(self.runs, [1])

    def test_work_that_cannot_be_settled_says_so(self):
        proxy = Proxy("/succeed", cuts=1000)
        try:
            client = connected(proxy.url, settle_seconds=0.2)
            with self.assertRaises(Unsettled) as unsettled:
                client.run_once(SCOPE, self.key, self.work)
        finally:
            proxy.close()
        self.assertEqual(unsettled.exception.result["receipt"], 4711)

    def test_a_result_that_cannot_be_stored_is_not_made_twice(self):
        for unfit in (object(), float("nan"), "x" * (2 << 20)):
            key = str(uuid.uuid4())
            with self.assertRaises(Unsettled) as unsettled:
                self.semel.run_once(SCOPE, key, lambda claim: unfit)
            self.assertIs(unsettled.exception.result, unfit)
            with self.assertRaises(OutcomeUnknown):
                self.semel.run_once(SCOPE, key, self.work)
        self.assertEqual(self.runs, [])

    def test_aliases_and_what_is_stored(self):
        alias = str(uuid.uuid4())
        self.semel.run_once(SCOPE, self.key, self.work, also_known_as=[alias])
        self.assertEqual(self.semel.run_once(SCOPE, alias, self.work)["password"], "kept")
        other = str(uuid.uuid4())
        self.semel.run_once(SCOPE, other, self.work, store="sanitised")
        with self.assertRaises(Incomplete) as incomplete:
            self.semel.run_once(SCOPE, other, self.work)
        self.assertEqual(incomplete.exception.result["password"], "[REDACTED]")
        self.assertEqual(self.semel.run_once(SCOPE, other, self.work, store="sanitised")["receipt"], 4711)

    def test_errors_are_told_apart(self):
        with self.assertRaises(Refused) as refused:
            self.semel.claim(SCOPE, self.key, store="open")
        self.assertEqual((refused.exception.status, refused.exception.field), (400, "/store"))
        self.semel.claim(SCOPE, self.key, fingerprint="one")
        with self.assertRaises(Mismatch):
            self.semel.claim(SCOPE, self.key, fingerprint="two")
        with socket.create_server(("127.0.0.1", 0)) as unused:
            closed = "http://127.0.0.1:%d" % unused.getsockname()[1]
        with self.assertRaises(Unavailable):
            Semel(closed).run_once(SCOPE, self.key, self.work, wait_seconds=0.2)
        self.assertEqual(self.runs, [])


if __name__ == "__main__":
    unittest.main()
