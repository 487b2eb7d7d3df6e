-- The claims. One row per claim; only the holder of claim_nonce may change it. All times are UTC.
-- A claim may have several digests: one row is the record, the others are pointers to it.
-- The time of the last grant is in the fence, in microseconds since 1970. A claim expires ttl_micros after completed_at.
-- An insert leaves five columns to their defaults: its text is repeated for every claim of a batch, and has to be short.
-- To revert: DROP TABLE idempotency_keys, semel_aliases, semel_epoch, semel_key_history, semel_key_replays, semel_jobs;
--     (deletes every claim, so stop all writers first)
CREATE TABLE IF NOT EXISTS idempotency_keys (
    key_hash       BINARY(32)    NOT NULL PRIMARY KEY,
    tenant         VARCHAR(255)  NOT NULL,
    scope          VARCHAR(1024) NOT NULL,
    secret_id      VARCHAR(32)   NOT NULL,
    record_id      BINARY(16)    NOT NULL,
    claim_nonce    BINARY(16)    NOT NULL,
    fingerprint    BINARY(32)    NOT NULL,
    -- A summary of the request that holds the claim, to explain a mismatch later.
    sketch         VARBINARY(4096),
    status         ENUM ('IN_PROGRESS', 'SUCCEEDED', 'FAILED', 'RETRYABLE', 'UNKNOWN') NOT NULL DEFAULT 'IN_PROGRESS',
    on_stale       ENUM ('RERUN', 'RECONCILE', 'PARK') NOT NULL,
    attempt_count  INT           NOT NULL DEFAULT 1,
    fence          BIGINT        NOT NULL DEFAULT (TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))),
    ttl_micros     BIGINT,
    created_at     DATETIME(6)   NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
    lease_until    DATETIME(6)   NOT NULL,
    run_until      DATETIME(6)   NOT NULL,
    completed_at   DATETIME(6),
    -- When the sweep reads the row next: never later than it needs work. Null: never.
    due_at         DATETIME(6)   DEFAULT (created_at + INTERVAL ttl_micros MICROSECOND),
    result_type    VARCHAR(64),
    result         LONGBLOB,
    reason         VARCHAR(255),
    -- The record's digest in a pointer; null in a record.
    alias_of       BINARY(32),
    -- The digest of another record that a caller named as the same claim. An operator has to investigate it.
    alias_conflict BINARY(32),
    -- No index has a column that a settlement changes, so a settlement updates no index.
    -- The sweep finds due rows.
    KEY idempotency_keys_due_idx (due_at),
    -- Lists a tenant's records, newest first. InnoDB appends the primary key.
    KEY idempotency_keys_records_idx (tenant, created_at)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- Finds the pointers to a record. A table of its own, because InnoDB would also index the many rows whose alias_of is null.
-- Each pointer has an entry, which is written and deleted while its row in idempotency_keys is locked. An entry whose row has
-- another alias_of by now does not count, and is deleted with that row.
CREATE TABLE IF NOT EXISTS semel_aliases (
    key_hash BINARY(32) NOT NULL PRIMARY KEY,
    alias_of BINARY(32) NOT NULL,
    KEY semel_aliases_record_idx (alias_of)
) ENGINE = InnoDB;

-- One row. A change of cacheable results advances the epoch; entries cached under an earlier epoch are ignored.
CREATE TABLE IF NOT EXISTS semel_epoch (
    id    INT    NOT NULL PRIMARY KEY CHECK (id = 1),
    epoch BIGINT NOT NULL
) ENGINE = InnoDB;

INSERT INTO semel_epoch (id, epoch) VALUES (1, 1) ON DUPLICATE KEY UPDATE epoch = epoch;

-- The history of claims: take-overs, conflicts, parks and operators' decisions. Ordinary claims write nothing here.
CREATE TABLE IF NOT EXISTS semel_key_history (
    id            BIGINT        NOT NULL AUTO_INCREMENT PRIMARY KEY,
    key_hash      BINARY(32)    NOT NULL,
    tenant        VARCHAR(255)  NOT NULL,
    scope         VARCHAR(1024) NOT NULL,
    kind          VARCHAR(20)   NOT NULL,
    fence         BIGINT        NOT NULL,
    attempt_count INT           NOT NULL,
    actor         VARCHAR(255),
    reason        VARCHAR(255),
    details       VARCHAR(1024),
    created_at    DATETIME(6)   NOT NULL,
    -- Lists the entries of a claim. InnoDB appends the primary key.
    KEY semel_key_history_claim_idx (key_hash),
    -- Lists the decisions of a tenant.
    KEY semel_key_history_kind_idx (tenant, kind)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- The number of replays of claims, which is approximate.
CREATE TABLE IF NOT EXISTS semel_key_replays (
    key_hash BINARY(32)   NOT NULL PRIMARY KEY,
    tenant   VARCHAR(255) NOT NULL,
    replays  BIGINT       NOT NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- The jobs that one instance at a time runs, such as the cleanup, and their last runs. The holder may run the job until
-- held_until.
CREATE TABLE IF NOT EXISTS semel_jobs (
    name       VARCHAR(64)   NOT NULL PRIMARY KEY,
    holder     VARCHAR(64)   NOT NULL,
    held_until DATETIME(6)   NOT NULL,
    started_at DATETIME(6)   NOT NULL,
    ended_at   DATETIME(6),
    report     VARCHAR(1024)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
