-- The claims. One row per claim; only the holder of claim_nonce may change it. Times are microseconds since 1970.
-- Not WITHOUT ROWID: a lookup would then read the results of all rows that it passes.
-- To revert: DROP TABLE idempotency_keys; (deletes every claim, so stop all writers first)
CREATE TABLE idempotency_keys (
    key_hash      BLOB    NOT NULL PRIMARY KEY CHECK (length(key_hash) = 32),
    tenant        TEXT    NOT NULL,
    scope         TEXT    NOT NULL,
    secret_id     TEXT    NOT NULL,
    record_id     BLOB    NOT NULL CHECK (length(record_id) = 16),
    claim_nonce   BLOB    NOT NULL CHECK (length(claim_nonce) = 16),
    fingerprint   BLOB    NOT NULL CHECK (length(fingerprint) = 32),
    status        TEXT    NOT NULL
        CHECK (status IN ('IN_PROGRESS', 'SUCCEEDED', 'FAILED', 'RETRYABLE', 'UNKNOWN')),
    on_stale      TEXT    NOT NULL CHECK (on_stale IN ('RERUN', 'RECONCILE', 'PARK')),
    attempt_count INTEGER NOT NULL DEFAULT 1,
    fence         INTEGER NOT NULL,
    ttl_micros    INTEGER,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    started_at    INTEGER NOT NULL,
    lease_until   INTEGER NOT NULL,
    run_until     INTEGER NOT NULL,
    completed_at  INTEGER,
    expires_at    INTEGER,
    result_type   TEXT,
    result        BLOB,
    reason        TEXT
);

-- The sweep finds expired claims.
CREATE INDEX idempotency_keys_expires_idx ON idempotency_keys (expires_at) WHERE expires_at IS NOT NULL;

-- The sweep and metrics find claims with an expired lease. It contains running claims only, so it stays small.
CREATE INDEX idempotency_keys_stale_idx ON idempotency_keys (lease_until) WHERE status = 'IN_PROGRESS';

-- Lists a tenant's claims by status, newest first.
CREATE INDEX idempotency_keys_browse_idx ON idempotency_keys (tenant, status, created_at, key_hash);
