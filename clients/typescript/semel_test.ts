// SPDX-License-Identifier: Apache-2.0
// @ts-nocheck: the types of Node's modules are not part of the language.
// Runs the client against the server at SEMEL_URL, with the token SEMEL_TOKEN if it is set.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { connect, createServer } from "node:net";
import { test } from "node:test";
import {
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
} from "./semel.ts";

const URL_OF_SERVER = process.env.SEMEL_URL;
const SCOPE = "clients.typescript";
const RESULT = { receipt: 4711, password: "kept", lines: [1, null, "é"] };

const semel = connected();

function connected(url: string = URL_OF_SERVER, more = {}) {
  const token = process.env.SEMEL_TOKEN;
  return new Semel(url, { ...(token ? { token } : { tenant: "typescript" }), ...more });
}

/** Work that records the attempts in which it ran. */
function counted(result: unknown = RESULT) {
  const runs: number[] = [];
  const work = async (claim) => {
    runs.push(claim.attempt);
    return result;
  };
  return { runs, work };
}

/** Forwards requests to the server, and closes the connection of the first ones with this path without an answer. */
async function proxy(path: string, cuts: number) {
  const target = new URL(URL_OF_SERVER);
  const seen: string[] = [];
  const server = createServer((client) => {
    let request = "";
    client.on("error", () => {});
    client.on("data", (data) => {
      request += data.toString("latin1");
      const upstream = connect(Number(target.port), target.hostname, () => upstream.write(data));
      upstream.on("data", (answer) => {
        const [head, body] = request.split("\r\n\r\n");
        const ours = head.split("\r\n")[0].includes(path);
        if (ours) {
          seen.push(body);
        }
        request = "";
        upstream.destroy();
        if (ours && seen.length <= cuts) {
          client.destroy();
        } else {
          client.end(answer);
        }
      });
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, seen, close: () => server.close() };
}

test("first run and replay", async () => {
  const key = randomUUID();
  const { runs, work } = counted();
  assert.deepEqual(await semel.runOnce(SCOPE, key, work), RESULT);
  assert.deepEqual(await semel.runOnce(SCOPE, key, work), RESULT);
  assert.deepEqual(runs, [1]);
});

test("two concurrent callers run it once", async () => {
  const key = randomUUID();
  const { runs, work } = counted();
  const told = async (claim) => {
    // The other caller receives "in progress" before this ends.
    assert.equal((await semel.claim(SCOPE, key)).status, "in_progress");
    return work(claim);
  };
  const both = await Promise.all([semel.runOnce(SCOPE, key, told), semel.runOnce(SCOPE, key, told)]);
  assert.deepEqual(both, [RESULT, RESULT]);
  assert.deepEqual(runs, [1]);
});

test("a failure is run again", async () => {
  const key = randomUUID();
  const { runs, work } = counted();
  const breaks = async (claim) => {
    await work(claim);
    throw new Error("the network is down");
  };
  await assert.rejects(semel.runOnce(SCOPE, key, breaks), /the network is down/);
  await semel.runOnce(SCOPE, key, work);
  assert.deepEqual(runs, [1, 2]);
});

test("a permanent failure is replayed", async () => {
  const key = randomUUID();
  const { runs, work } = counted();
  const declined = async (claim) => {
    await work(claim);
    throw new Failed({ code: "declined" });
  };
  for (let i = 0; i < 2; i++) {
    await assert.rejects(semel.runOnce(SCOPE, key, declined), (failure) => {
      assert.ok(failure instanceof Failed);
      assert.deepEqual(failure.result, { code: "declined" });
      return true;
    });
  }
  assert.deepEqual(runs, [1]);
});

test("an unknown outcome is parked", async () => {
  const key = randomUUID();
  const { runs, work } = counted();
  const unknown = () => {
    throw new OutcomeUnknown("the bank\ntimed out" + "!".repeat(300));
  };
  await assert.rejects(semel.runOnce(SCOPE, key, unknown), OutcomeUnknown);
  await assert.rejects(semel.runOnce(SCOPE, key, work), /the bank timed out/);
  assert.deepEqual(runs, []);
});

test("a lost claim is reported while the work runs and at its end", { timeout: 30_000 }, async () => {
  const key = randomUUID();
  const overtaken = async (claim) => {
    const lost = new Promise((resolve) => claim.lost.addEventListener("abort", resolve));
    await claim.fail(true);
    assert.equal((await semel.claim(SCOPE, key)).claim.attempt, 2);
    await lost;
    return "late";
  };
  await assert.rejects(semel.runOnce(SCOPE, key, overtaken, { lease_seconds: 1 }), (failure) => {
    assert.ok(failure instanceof OwnershipLost);
    assert.equal(failure.result, "late");
    return true;
  });
});

test("a lease is renewed while the work runs", async () => {
  const key = randomUUID();
  const { runs, work } = counted();
  const long = async (claim) => {
    // More than twice the lease. No other caller is granted the claim during that time.
    assert.equal((await semel.claim(SCOPE, key, { wait_ms: 2_500 })).status, "in_progress");
    assert.equal(claim.lost.aborted, false);
    return work(claim);
  };
  await semel.runOnce(SCOPE, key, long, { lease_seconds: 1 });
  assert.deepEqual(await semel.runOnce(SCOPE, key, work), RESULT);
  assert.deepEqual(runs, [1]);
});

test("a claim by hand", async () => {
  const key = randomUUID();
  const { claim } = await semel.claim(SCOPE, key, { lease_seconds: 30 });
  assert.equal(await claim.renew(120), 120);
  await claim.succeed([1]);
  await claim.succeed([1]);
  await assert.rejects(claim.succeed([2]), OwnershipLost);
  const replay = await semel.claim(SCOPE, key);
  assert.deepEqual([replay.status, replay.result, replay.result_note], ["succeeded", [1], undefined]);
});

test("waiting is bounded", async () => {
  const key = randomUUID();
  const { runs, work } = counted();
  await semel.claim(SCOPE, key);
  await assert.rejects(semel.runOnce(SCOPE, key, work, { wait_ms: 300 }), (failure) => {
    assert.ok(failure instanceof InProgress);
    assert.ok(failure.retryAfterMs > 0);
    return true;
  });
  assert.deepEqual(runs, []);
});

test("a settlement without an answer is sent again", async (t) => {
  const key = randomUUID();
  const { runs, work } = counted();
  const cut = await proxy("/succeed", 2);
  t.after(cut.close);
  await connected(cut.url).runOnce(SCOPE, key, work);
  assert.equal(cut.seen.length, 3);
  assert.equal(new Set(cut.seen).size, 1);
  assert.deepEqual((await semel.claim(SCOPE, key)).result, RESULT);
  assert.deepEqual(runs, [1]);
});

test("work that cannot be settled is reported", async (t) => {
  const cut = await proxy("/succeed", 1_000);
  t.after(cut.close);
  const client = connected(cut.url, { settleMs: 200 });
  await assert.rejects(client.runOnce(SCOPE, randomUUID(), counted().work), (failure) => {
    assert.ok(failure instanceof Unsettled);
    assert.deepEqual(failure.result, RESULT);
    return true;
  });
});

test("work whose result cannot be stored runs once", async () => {
  const round: { self?: unknown } = {};
  round.self = round;
  for (const unfit of [10n, round, "x".repeat(2 << 20)]) {
    const key = randomUUID();
    const { runs, work } = counted();
    await assert.rejects(semel.runOnce(SCOPE, key, () => unfit), (failure) => {
      assert.ok(failure instanceof Unsettled);
      assert.equal(failure.result, unfit);
      return true;
    });
    await assert.rejects(semel.runOnce(SCOPE, key, work), OutcomeUnknown);
    assert.deepEqual(runs, []);
  }
});

test("aliases and what is stored", async () => {
  const [key, alias, other] = [randomUUID(), randomUUID(), randomUUID()];
  const { work } = counted();
  await semel.runOnce(SCOPE, key, work, { also_known_as: [alias] });
  assert.equal((await semel.runOnce(SCOPE, alias, work)).password, "kept");
  await semel.runOnce(SCOPE, other, work, { store: "sanitised" });
  await assert.rejects(semel.runOnce(SCOPE, other, work), (failure) => {
    assert.ok(failure instanceof Incomplete);
    assert.equal(failure.result.password, "[REDACTED]");
    return true;
  });
  assert.equal((await semel.runOnce(SCOPE, other, work, { store: "sanitised" })).receipt, 4711);
});

test("each error has its own class", async () => {
  const key = randomUUID();
  const { runs, work } = counted();
  await assert.rejects(semel.claim(SCOPE, key, { store: "open" }), (failure) => {
    assert.ok(failure instanceof Refused);
    assert.deepEqual([failure.name, failure.status, failure.field], ["Refused", 400, "/store"]);
    return true;
  });
  await semel.claim(SCOPE, key, { fingerprint: "one" });
  await assert.rejects(semel.claim(SCOPE, key, { fingerprint: "two" }), Mismatch);
  const closed = await proxy("/", 0);
  closed.close();
  await assert.rejects(new Semel(closed.url).runOnce(SCOPE, key, work, { wait_ms: 200 }), Unavailable);
  assert.deepEqual(runs, []);
});
