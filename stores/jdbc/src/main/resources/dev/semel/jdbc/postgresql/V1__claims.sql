-- The claims. One row per claim; only the holder of claim_nonce may change it.
-- To revert: DROP TABLE idempotency_keys; (deletes every claim, so stop all writers first)
CREATE TABLE idempotency_keys (
    key_hash      bytea         NOT NULL PRIMARY KEY CHECK (octet_length(key_hash) = 32),
    tenant        varchar(255)  NOT NULL,
    scope         varchar(1024) NOT NULL,
    secret_id     varchar(32)   NOT NULL,
    record_id     uuid          NOT NULL,
    claim_nonce   uuid          NOT NULL,
    fingerprint   bytea         NOT NULL CHECK (octet_length(fingerprint) = 32),
    status        varchar(11)   NOT NULL
        CHECK (status IN ('IN_PROGRESS', 'SUCCEEDED', 'FAILED', 'RETRYABLE', 'UNKNOWN')),
    on_stale      varchar(9)    NOT NULL CHECK (on_stale IN ('RERUN', 'RECONCILE', 'PARK')),
    attempt_count integer       NOT NULL DEFAULT 1,
    fence         bigint        NOT NULL,
    ttl_micros    bigint,
    created_at    timestamptz   NOT NULL,
    updated_at    timestamptz   NOT NULL,
    started_at    timestamptz   NOT NULL,
    lease_until   timestamptz   NOT NULL,
    run_until     timestamptz   NOT NULL,
    completed_at  timestamptz,
    expires_at    timestamptz,
    result_type   varchar(64),
    result        bytea,
    reason        varchar(255)
);

-- The sweep finds expired claims.
CREATE INDEX idempotency_keys_expires_idx ON idempotency_keys (expires_at) WHERE expires_at IS NOT NULL;

-- The sweep and metrics find claims with an expired lease. It contains running claims only, so it stays small.
CREATE INDEX idempotency_keys_stale_idx ON idempotency_keys (lease_until) WHERE status = 'IN_PROGRESS';

-- Lists a tenant's claims by status, newest first.
CREATE INDEX idempotency_keys_browse_idx ON idempotency_keys (tenant, status, created_at, key_hash);
