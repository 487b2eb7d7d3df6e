// SPDX-License-Identifier: Apache-2.0
// Uses the generated client against the server at SEMEL_URL, with the token SEMEL_TOKEN if it is set.
import { ClaimsApi, Configuration, LedgerApi, Origin, ProblemFromJSON, ResponseError, ResultForm, Store } from "./index";
import type { Problem } from "./index";

// The types of Node's modules are not part of the language.
declare const process: { env: Record<string, string> };

const { SEMEL_URL, SEMEL_TOKEN, SEMEL_TENANT, SEMEL_KEY } = process.env;
const RESULT = { receipt: 4711, lines: [1, null, "é"] };
// In production the token identifies the caller.
const CALLER = SEMEL_TOKEN ? {} : { xOrganizationId: SEMEL_TENANT };

const configuration = new Configuration({ basePath: SEMEL_URL, accessToken: SEMEL_TOKEN || undefined });
const claims = new ClaimsApi(configuration);
const ledger = new LedgerApi(configuration);

async function claim(fingerprint: string = "one") {
  const claimRequest = { scope: "clients.generated", key: SEMEL_KEY, fingerprint, store: Store.Sealed };
  const response = await claims.claimRaw({ claimRequest, ...CALLER });
  return { code: response.raw.status, answer: await response.value() };
}

async function problemOf(request: Promise<unknown>): Promise<Problem> {
  try {
    await request;
  } catch (error) {
    if (error instanceof ResponseError) {
      return ProblemFromJSON(await error.response.json());
    }
    throw error;
  }
  throw new Error("The request was accepted");
}

function same(actual: unknown, expected: unknown) {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) {
    throw new Error(`${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`);
  }
}

async function main() {
  const first = await claim();
  same([first.code, first.answer.status], [201, "claimed"]);
  same([first.answer.attempt, first.answer.origin], [1, Origin.First]);
  const claimId = first.answer.claimId!;
  const token = first.answer.token!;

  const held = await claim();
  same([held.code, held.answer.status], [202, "in_progress"]);
  same(held.answer.token === undefined, true);
  same(held.answer.retryAfterMs! > 0, true);

  const renewed = await claims.renew({ claimId, renewRequest: { token, leaseSeconds: 60 }, ...CALLER });
  same([renewed.status, renewed.leaseSeconds], ["in_progress", 60]);

  const settled = await claims.succeed({ claimId, succeedRequest: { token, result: RESULT }, ...CALLER });
  same([settled.status, settled.claimId], ["succeeded", claimId]);

  const replayed = await claim();
  same([replayed.code, replayed.answer.status], [200, "succeeded"]);
  same([replayed.answer.result, replayed.answer.cached], [RESULT, true]);
  same(replayed.answer.resultForm, ResultForm.Exact);

  const problem = await problemOf(claim("another"));
  same([problem.status, problem.type], [409, "/docs/problems/mismatch"]);

  const event = { org_id: SEMEL_TENANT, event_type: "invoice.paid", payload: { amount: 100 } };
  const written = await ledger.ingest({ ledgerEntry: { idempotencyKey: SEMEL_KEY, event }, ...CALLER });
  const { org_id, event_type, payload } = written as typeof event;
  same({ org_id, event_type, payload }, event);

  console.log("passed: claim, in progress, renew, settle, replay, mismatch, ledger");
}

main().catch((error) => {
  console.error(error);
  throw error;
});
