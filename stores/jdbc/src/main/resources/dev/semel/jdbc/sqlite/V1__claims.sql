-- The claims. One row per claim; only the holder of claim_nonce may change it. Times are microseconds since 1970.
-- A claim may have several digests: one row is the record, the others are pointers to it.
-- The time of the last grant is in the fence. A claim expires ttl_micros after completed_at.
-- Not WITHOUT ROWID: a lookup would then read the results of all rows that it passes.
-- To revert: DROP TABLE idempotency_keys; DROP TABLE semel_epoch; DROP TABLE semel_key_history;
--     DROP TABLE semel_key_replays; DROP TABLE semel_jobs; (deletes every claim, so stop all writers first)
CREATE TABLE idempotency_keys (
    key_hash       BLOB    NOT NULL PRIMARY KEY CHECK (length(key_hash) = 32),
    tenant         TEXT    NOT NULL,
    scope          TEXT    NOT NULL,
    secret_id      TEXT    NOT NULL,
    record_id      BLOB    NOT NULL CHECK (length(record_id) = 16),
    claim_nonce    BLOB    NOT NULL CHECK (length(claim_nonce) = 16),
    fingerprint    BLOB    NOT NULL CHECK (length(fingerprint) = 32),
    -- A summary of the request that holds the claim, to explain a mismatch later.
    sketch         BLOB,
    status         TEXT    NOT NULL
        CHECK (status IN ('IN_PROGRESS', 'SUCCEEDED', 'FAILED', 'RETRYABLE', 'UNKNOWN')),
    on_stale       TEXT    NOT NULL CHECK (on_stale IN ('RERUN', 'RECONCILE', 'PARK')),
    attempt_count  INTEGER NOT NULL DEFAULT 1,
    fence          INTEGER NOT NULL,
    ttl_micros     INTEGER,
    created_at     INTEGER NOT NULL,
    lease_until    INTEGER NOT NULL,
    run_until      INTEGER NOT NULL,
    completed_at   INTEGER,
    -- When the sweep reads the row next: never later than it needs work. Null: never.
    due_at         INTEGER,
    -- The record's digest in a pointer; null in a record.
    alias_of       BLOB,
    -- The digest of another record that a caller named as the same claim. An operator has to investigate it.
    alias_conflict BLOB,
    result_type    TEXT,
    reason         TEXT,
    result         BLOB
);

-- No index has a column that a settlement changes, so a settlement updates no index.

-- The sweep finds due rows.
CREATE INDEX idempotency_keys_due_idx ON idempotency_keys (due_at) WHERE due_at IS NOT NULL;

-- Finds the pointers to a record. Records have no entry.
CREATE INDEX idempotency_keys_alias_idx ON idempotency_keys (alias_of) WHERE alias_of IS NOT NULL;

-- Lists a tenant's records, newest first, without pointers.
CREATE INDEX idempotency_keys_records_idx ON idempotency_keys (tenant, created_at) WHERE alias_of IS NULL;

-- One row. A change of cacheable results advances the epoch; entries cached under an earlier epoch are ignored.
CREATE TABLE semel_epoch (
    id    INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    epoch INTEGER NOT NULL
);

INSERT INTO semel_epoch (id, epoch) VALUES (1, 1);

-- The history of claims: take-overs, conflicts, parks and operators' decisions. Ordinary claims write nothing here.
CREATE TABLE semel_key_history (
    id            INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    key_hash      BLOB    NOT NULL CHECK (length(key_hash) = 32),
    tenant        TEXT    NOT NULL,
    scope         TEXT    NOT NULL,
    kind          TEXT    NOT NULL,
    fence         INTEGER NOT NULL,
    attempt_count INTEGER NOT NULL,
    actor         TEXT,
    reason        TEXT,
    details       TEXT,
    created_at    INTEGER NOT NULL
);

-- Lists the entries of a claim.
CREATE INDEX semel_key_history_claim_idx ON semel_key_history (key_hash, id);

-- Lists the decisions of a tenant.
CREATE INDEX semel_key_history_kind_idx ON semel_key_history (tenant, kind, id);

-- The number of replays of claims, which is approximate.
CREATE TABLE semel_key_replays (
    key_hash BLOB    NOT NULL PRIMARY KEY CHECK (length(key_hash) = 32),
    tenant   TEXT    NOT NULL,
    replays  INTEGER NOT NULL
);

-- The jobs that one instance at a time runs, such as the cleanup, and their last runs. The holder may run the job until
-- held_until.
CREATE TABLE semel_jobs (
    name       TEXT    NOT NULL PRIMARY KEY,
    holder     TEXT    NOT NULL,
    held_until INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at   INTEGER,
    report     TEXT
);
