-- The claims. One row per claim; only the holder of claim_nonce may change it. All times are UTC.
-- To revert: DROP TABLE idempotency_keys; (deletes every claim, so stop all writers first)
CREATE TABLE IF NOT EXISTS idempotency_keys (
    key_hash      BINARY(32)    NOT NULL PRIMARY KEY,
    tenant        VARCHAR(255)  NOT NULL,
    scope         VARCHAR(1024) NOT NULL,
    secret_id     VARCHAR(32)   NOT NULL,
    record_id     BINARY(16)    NOT NULL,
    claim_nonce   BINARY(16)    NOT NULL,
    fingerprint   BINARY(32)    NOT NULL,
    status        VARCHAR(11)   NOT NULL
        CHECK (status IN ('IN_PROGRESS', 'SUCCEEDED', 'FAILED', 'RETRYABLE', 'UNKNOWN')),
    on_stale      VARCHAR(9)    NOT NULL CHECK (on_stale IN ('RERUN', 'RECONCILE', 'PARK')),
    attempt_count INT           NOT NULL DEFAULT 1,
    fence         BIGINT        NOT NULL,
    ttl_micros    BIGINT,
    created_at    DATETIME(6)   NOT NULL,
    updated_at    DATETIME(6)   NOT NULL,
    started_at    DATETIME(6)   NOT NULL,
    lease_until   DATETIME(6)   NOT NULL,
    run_until     DATETIME(6)   NOT NULL,
    completed_at  DATETIME(6),
    expires_at    DATETIME(6),
    result_type   VARCHAR(64),
    result        LONGBLOB,
    reason        VARCHAR(255),
    -- The sweep finds expired claims.
    KEY idempotency_keys_expires_idx (expires_at),
    -- The sweep and metrics find claims with an expired lease.
    KEY idempotency_keys_stale_idx (status, lease_until),
    -- Lists a tenant's claims by status, newest first. InnoDB appends the primary key.
    KEY idempotency_keys_browse_idx (tenant, status, created_at)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
