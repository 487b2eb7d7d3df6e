-- The claims. One row per claim; only the holder of claim_nonce may change it.
-- A claim may have several digests: one row is the record, the others are pointers to it.
-- To revert: DROP TABLE idempotency_keys, semel_epoch, semel_key_history, semel_key_replays, semel_jobs;
--     DROP TYPE semel_status, semel_on_stale; (deletes every claim, so stop all writers first)
CREATE TYPE semel_status AS ENUM ('IN_PROGRESS', 'SUCCEEDED', 'FAILED', 'RETRYABLE', 'UNKNOWN');

CREATE TYPE semel_on_stale AS ENUM ('RERUN', 'RECONCILE', 'PARK');

-- The columns that a settlement changes are the last ones: the log of a change then leaves out all others.
-- Inserts leave most of a page empty, for the settled version of every row: with results of up to about 300 bytes it fits into the
-- page of its first version, and no index changes. Each page is full once its rows are settled.
-- The time of the last grant is in the fence, in microseconds since 1970. A claim expires ttl_micros after completed_at.
CREATE TABLE idempotency_keys (
    record_id      uuid           NOT NULL,
    claim_nonce    uuid           NOT NULL,
    created_at     timestamptz    NOT NULL,
    -- When the sweep reads the row next: never later than it needs work. Null: never.
    due_at         timestamptz,
    ttl_micros     bigint,
    fence          bigint         NOT NULL,
    run_until      timestamptz    NOT NULL,
    attempt_count  integer        NOT NULL DEFAULT 1,
    on_stale       semel_on_stale NOT NULL,
    key_hash       bytea          NOT NULL PRIMARY KEY,
    fingerprint    bytea          NOT NULL,
    tenant         varchar(255)   NOT NULL,
    scope          varchar(1024)  NOT NULL,
    secret_id      varchar(32)    NOT NULL,
    -- A summary of the request that holds the claim, to explain a mismatch later.
    sketch         bytea,
    -- The record's digest in a pointer; null in a record.
    alias_of       bytea,
    -- The digest of another record that a caller named as the same claim. An operator has to investigate it.
    alias_conflict bytea,
    lease_until    timestamptz    NOT NULL,
    completed_at   timestamptz,
    status         semel_status   NOT NULL,
    result_type    varchar(64),
    reason         varchar(255),
    result         bytea
) WITH (fillfactor = 30);

-- No index has a column that a settlement changes, so a settlement updates no index.

-- The sweep finds due rows.
CREATE INDEX idempotency_keys_due_idx ON idempotency_keys (due_at) WHERE due_at IS NOT NULL;

-- Finds the pointers to a record. Records have no entry.
CREATE INDEX idempotency_keys_alias_idx ON idempotency_keys (alias_of) WHERE alias_of IS NOT NULL;

-- Lists a tenant's records, newest first, without pointers.
CREATE INDEX idempotency_keys_records_idx ON idempotency_keys (tenant, created_at) WHERE alias_of IS NULL;

-- One row. A change of cacheable results advances the epoch; entries cached under an earlier epoch are ignored.
CREATE TABLE semel_epoch (
    id    integer NOT NULL PRIMARY KEY CHECK (id = 1),
    epoch bigint  NOT NULL
);

INSERT INTO semel_epoch (id, epoch) VALUES (1, 1);

-- The history of claims: take-overs, conflicts, parks and operators' decisions. Ordinary claims write nothing here.
CREATE TABLE semel_key_history (
    id            bigint        NOT NULL GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key_hash      bytea         NOT NULL CHECK (octet_length(key_hash) = 32),
    tenant        varchar(255)  NOT NULL,
    scope         varchar(1024) NOT NULL,
    kind          varchar(20)   NOT NULL,
    fence         bigint        NOT NULL,
    attempt_count integer       NOT NULL,
    actor         varchar(255),
    reason        varchar(255),
    details       varchar(1024),
    created_at    timestamptz   NOT NULL
);

-- Lists the entries of a claim.
CREATE INDEX semel_key_history_claim_idx ON semel_key_history (key_hash, id);

-- Lists the decisions of a tenant.
CREATE INDEX semel_key_history_kind_idx ON semel_key_history (tenant, kind, id);

-- The number of replays of claims, which is approximate.
CREATE TABLE semel_key_replays (
    key_hash bytea        NOT NULL PRIMARY KEY CHECK (octet_length(key_hash) = 32),
    tenant   varchar(255) NOT NULL,
    replays  bigint       NOT NULL
);

-- The jobs that one instance at a time runs, such as the cleanup, and their last runs. The holder may run the job until
-- held_until.
CREATE TABLE semel_jobs (
    name       varchar(64)  NOT NULL PRIMARY KEY,
    holder     varchar(64)  NOT NULL,
    held_until timestamptz  NOT NULL,
    started_at timestamptz  NOT NULL,
    ended_at   timestamptz,
    report     varchar(1024)
);
