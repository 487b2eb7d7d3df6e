// SPDX-License-Identifier: Apache-2.0
/**
 * A client of the Semel server: an effect happens once, and every caller receives the same result.
 *
 *     const semel = new Semel("http://127.0.0.1:8080");
 *     const receipt = await semel.runOnce("card.charge", "order-17", () => charge("order-17"));
 *
 * One file without dependencies. It needs `fetch`, and uses only types that can be erased: Node 22.18 and newer, Deno and
 * Bun run it as it is.
 */

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** The options of a server. */
export interface Options {
  /** The bearer token, which production requires. */
  token?: string;
  /** For development mode, which has no tokens. */
  tenant?: string;
  /** For development mode, which has no tokens. */
  actor?: string;
  /** The timeout of one request. The default is 10,000. */
  timeoutMs?: number;
  /** How long a settlement is retried while the server does not answer. The default is 60,000. */
  settleMs?: number;
}

/** The members of a claim besides scope and key, with the names of the server's API. */
export interface ClaimTerms {
  inputs?: unknown;
  user_text?: string;
  also_known_as?: string[];
  fingerprint?: string;
  store?: "sealed" | "sanitised" | "none";
  lease_seconds?: number;
  ttl_seconds?: number;
  wait_ms?: number;
  on_stale?: "rerun" | "reconcile" | "park";
}

/** The answer to a claim. */
export interface Answer {
  status: "claimed" | "succeeded" | "failed" | "in_progress";
  /** With `claimed`. */
  claim?: Claim;
  /** With `succeeded` and `failed`: what was stored. */
  result?: Json;
  result_form?: "exact" | "sanitised" | "none" | "omitted";
  /** What is missing from the result. A result without a note is complete. */
  result_note?: string;
  /** With `in_progress`. */
  retry_after_ms?: number;
}

interface Members {
  [name: string]: any;
}

const LONGEST_WAIT_MS = 20_000;
const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
const LONGEST_REASON = 255;

/** The base class of all errors of this client. */
export class SemelError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message);
    this.name = new.target.name;
    if (options?.cause !== undefined) {
      (this as { cause?: unknown }).cause = options.cause;
    }
  }
}

/** The server refused the request: invalid input, no valid token, too large. Nothing has run. */
export class Refused extends SemelError {
  /** The HTTP status. */
  status: number;
  /** The last part of the problem's type. */
  type: string;
  /** What is wrong. */
  field: string | undefined;

  constructor(message: string, status: number, type: string, field?: string) {
    super(message);
    this.status = status;
    this.type = type;
    this.field = field;
  }
}

/** The server or its database is unavailable. */
export class Unavailable extends SemelError {
  retryAfterMs: number;

  constructor(message: string, retryAfterMs: number, cause?: unknown) {
    super(message, { cause });
    this.retryAfterMs = retryAfterMs;
  }
}

/** The key was used with another fingerprint. */
export class Mismatch extends SemelError {}

/** Another caller has become the owner of the claim. Nothing was written. */
export class OwnershipLost extends SemelError {
  /** What the work returned, if it finished. */
  result: unknown;
}

/**
 * The work ran, but its outcome could not be stored. If the server refused the result, the claim is parked. If the server did
 * not answer, the next caller may run the work again once the lease ends.
 */
export class Unsettled extends SemelError {
  /** What the work returned. */
  result: unknown;

  constructor(message: string, result: unknown, cause: unknown) {
    super(message, { cause });
    this.result = result;
  }
}

/** Another caller owns the claim and did not finish in time. */
export class InProgress extends SemelError {
  retryAfterMs: number;

  constructor(message: string, retryAfterMs: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** The work failed permanently. Throw it in the work; duplicates receive it with the stored result. */
export class Failed extends SemelError {
  result: unknown;

  constructor(result?: unknown, message: string = "the work failed permanently") {
    super(message);
    this.result = result;
  }
}

/** It is not known whether the effect happened. Throw it in the work to park the claim until a person decides. */
export class OutcomeUnknown extends SemelError {}

/** The work was done before, but its result is incomplete. */
export class Incomplete extends SemelError {
  /** The stored part. */
  result: Json;

  constructor(result: Json, note: string) {
    super(note);
    this.result = result;
  }
}

/** A claim that this caller owns until its lease ends. Every method throws OwnershipLost after that is lost. */
export class Claim {
  readonly claimId: string;
  readonly token: string;
  readonly attempt: number;
  readonly leaseSeconds: number;
  readonly fence: number;
  readonly origin: "first" | "retry" | "lapsed" | "reconcile";
  /** Aborted when a background renewal detects that the claim has another owner. */
  readonly lost: AbortSignal;

  #semel: Semel;
  #losing = new AbortController();

  constructor(semel: Semel, members: Members) {
    this.#semel = semel;
    this.claimId = members.claim_id;
    this.token = members.token;
    this.attempt = members.attempt;
    this.leaseSeconds = members.lease_seconds;
    this.fence = members.fence;
    this.origin = members.origin;
    this.lost = this.#losing.signal;
  }

  /** Renews the lease from now, and returns its length in seconds. */
  async renew(leaseSeconds: number = this.leaseSeconds): Promise<number> {
    const body = JSON.stringify({ token: this.token, lease_seconds: leaseSeconds });
    const answer = await this.#semel.post(this.#path("renew"), body, (leaseSeconds * 1000) / 3);
    return answer.lease_seconds;
  }

  /** The work is done, with this result: any JSON. */
  async succeed(result: unknown = null): Promise<void> {
    await this.#settle("succeed", { result });
  }

  /** The work failed. If it is retryable, the next caller runs it. Otherwise duplicates receive the result. */
  async fail(retryable: boolean, result?: unknown): Promise<void> {
    await this.#settle("fail", { retryable, result });
  }

  /** It is not known whether the effect happened. No caller is granted the claim until a person decides. */
  async park(reason: string): Promise<void> {
    const text = Array.from(reason.replace(/\p{C}/gu, " ")).slice(0, LONGEST_REASON).join("");
    await this.#settle("park", { reason: text || "no reason given" });
  }

  /** Renews the lease in the background, each time a third of it has passed, until the returned function is called. */
  renewing(): () => void {
    let ended = false;
    let timer: ReturnType<typeof setTimeout>;
    const later = () => {
      timer = setTimeout(once, (this.leaseSeconds * 1000) / 3);
    };
    const once = async () => {
      try {
        await this.renew();
      } catch (failure) {
        if (failure instanceof OwnershipLost) {
          if (!ended) {
            this.#losing.abort(failure);
          }
          return;
        }
        // The next renewal or the settlement detects it. Settling after the lease still works if no other caller took over.
      }
      if (!ended) {
        later();
      }
    };
    later();
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }

  #path(how: string): string {
    return `/v1/claims/${this.claimId}/${how}`;
  }

  async #settle(how: string, members: Members): Promise<void> {
    // The same bytes each time: the server confirms a settlement that is sent again.
    const body = JSON.stringify({ ...members, token: this.token });
    await retrying(this.#semel.settleMs, () => this.#semel.post(this.#path(how), body));
  }
}

/** A server. */
export class Semel {
  readonly settleMs: number;
  readonly #url: string;
  readonly #timeoutMs: number;
  readonly #headers: Record<string, string> = { "Content-Type": "application/json", Accept: "application/json" };

  constructor(url: string, options: Options = {}) {
    this.#url = url.replace(/\/+$/, "");
    this.#timeoutMs = options.timeoutMs ?? 10_000;
    this.settleMs = options.settleMs ?? 60_000;
    if (options.token !== undefined) {
      this.#headers["Authorization"] = `Bearer ${options.token}`;
    }
    if (options.tenant !== undefined) {
      this.#headers["X-Organization-Id"] = options.tenant;
    }
    if (options.actor !== undefined) {
      this.#headers["X-Actor-Id"] = options.actor;
    }
  }

  /** Claims a key, or the `inputs` of the terms if there is none. `wait_ms` is how long the server waits for a running owner. */
  async claim(scope: string, key?: string, terms: ClaimTerms = {}): Promise<Answer> {
    const body = JSON.stringify({ ...terms, scope, key });
    const members = await this.post("/v1/claims", body, this.#timeoutMs + (terms.wait_ms ?? 0));
    return members.status === "claimed"
      ? { status: "claimed", claim: new Claim(this, members) }
      : (members as unknown as Answer);
  }

  /**
   * Runs the work once for the key and returns its result. Duplicates receive the stored result.
   *
   * While another caller runs it, this one waits up to `wait_ms` (60,000 unless given), then throws InProgress. The lease is
   * renewed while the work runs. If the work throws Failed, it failed permanently, and duplicates receive Failed too; if it throws
   * OutcomeUnknown, the claim is parked. After any other exception the next caller runs it again. With `on_stale: "reconcile"`
   * look at `claim.origin` before doing anything. A duplicate gets Incomplete if not all of the result was stored, unless
   * `store` asked for that.
   */
  async runOnce<T>(
    scope: string,
    key: string | undefined,
    work: (claim: Claim) => Promise<T> | T,
    terms: ClaimTerms = {},
  ): Promise<T> {
    const answer = await retrying(terms.wait_ms ?? 60_000, async (left) => {
      const wait_ms = Math.floor(Math.min(left, LONGEST_WAIT_MS));
      const one = await this.claim(scope, key, { ...terms, wait_ms });
      if (one.status === "in_progress") {
        throw new InProgress("another caller is still running the work", one.retry_after_ms ?? 0);
      }
      return one;
    });
    if (answer.claim !== undefined) {
      return run(answer.claim, work);
    }
    if (answer.status === "failed") {
      throw new Failed(answer.result);
    }
    if (answer.result_note !== undefined && terms.store !== "sanitised" && terms.store !== "none") {
      throw new Incomplete(answer.result ?? null, answer.result_note);
    }
    return answer.result as T;
  }

  /** Sends JSON and returns the members of the answer. */
  async post(path: string, body: string, timeoutMs: number = this.#timeoutMs): Promise<Members> {
    let response: Response;
    let text: string;
    try {
      response = await fetch(this.#url + path, {
        method: "POST",
        headers: this.#headers,
        body,
        redirect: "error",
        signal: AbortSignal.timeout(Math.max(1_000, timeoutMs)),
      });
      text = await response.text();
    } catch (broken) {
      throw new Unavailable(`the server at ${this.#url} does not answer: ${broken}`, SHORTEST_PAUSE_MS, broken);
    }
    if (!response.ok) {
      throw problem(response, text);
    }
    return JSON.parse(text);
  }
}

async function run<T>(claim: Claim, work: (claim: Claim) => Promise<T> | T): Promise<T> {
  const end = claim.renewing();
  try {
    let result: T;
    try {
      result = await work(claim);
    } catch (failure) {
      await settleFailure(claim, failure);
      throw failure;
    }
    await settleSuccess(claim, result);
    return result;
  } finally {
    end();
  }
}

async function settleFailure(claim: Claim, failure: unknown): Promise<void> {
  if (failure instanceof Failed) {
    await claim.fail(false, failure.result);
  } else if (failure instanceof OutcomeUnknown) {
    await claim.park(failure.message);
  } else {
    try {
      await claim.fail(true);
    } catch (unsettled) {
      // The work's own exception is more useful. The claim can be run again once its lease ends.
      if (!(unsettled instanceof SemelError)) {
        throw unsettled;
      }
    }
  }
}

async function settleSuccess(claim: Claim, result: unknown): Promise<void> {
  try {
    await claim.succeed(result);
  } catch (failure) {
    if (failure instanceof OwnershipLost) {
      failure.result = result;
      throw failure;
    }
    if (failure instanceof Unavailable) {
      throw new Unsettled(`the work ran, but ${failure.message}`, result, failure);
    }
    // The effect has happened and must not happen again.
    await claim.park("the work ran, but its result could not be stored");
    throw new Unsettled(`the work ran, but its result could not be stored: ${failure}`, result, failure);
  }
}

/** Retries while the server is unavailable or another caller runs the work. */
async function retrying<T>(bound: number, attempt: (left: number) => Promise<T>): Promise<T> {
  const end = performance.now() + bound;
  for (;;) {
    try {
      return await attempt(Math.max(0, end - performance.now()));
    } catch (failure) {
      const left = end - performance.now();
      if (left <= 0 || !(failure instanceof Unavailable || failure instanceof InProgress)) {
        throw failure;
      }
      // The server itself waits for a running owner, so the next request needs no pause.
      const wanted = failure instanceof Unavailable ? failure.retryAfterMs : 0;
      const pause = Math.min(left, Math.max(SHORTEST_PAUSE_MS, Math.min(wanted, LONGEST_PAUSE_MS)));
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

function problem(response: Response, text: string): SemelError {
  let members: Members = {};
  try {
    members = JSON.parse(text) ?? {};
  } catch {
    // A proxy between this client and the server answered.
  }
  const type = String(members.type ?? "").replace(/^.*\//, "");
  const detail = String(members.detail ?? `HTTP status ${response.status}`);
  switch (type) {
    case "ownership-lost":
      return new OwnershipLost(detail);
    case "mismatch":
      return new Mismatch(detail);
    case "outcome-unknown":
      return new OutcomeUnknown(detail);
  }
  if (response.status === 408 || response.status === 429 || response.status >= 500) {
    const seconds = Number(response.headers.get("Retry-After") ?? 1);
    return new Unavailable(detail, Number.isFinite(seconds) ? seconds * 1000 : 1000);
  }
  return new Refused(detail, response.status, type, members.field);
}
