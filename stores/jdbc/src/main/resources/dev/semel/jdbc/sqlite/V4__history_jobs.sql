-- The history of claims: take-overs, conflicts, parks and operators' decisions. Ordinary claims write nothing here.
-- The number of replays of claims, which is approximate.
-- The jobs that one instance at a time runs, such as the cleanup, and their last runs.
-- To revert: DROP TABLE semel_key_history; DROP TABLE semel_key_replays; DROP TABLE semel_jobs;
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

CREATE TABLE semel_key_replays (
    key_hash BLOB    NOT NULL PRIMARY KEY CHECK (length(key_hash) = 32),
    tenant   TEXT    NOT NULL,
    replays  INTEGER NOT NULL
);

-- One row per job. The holder may run the job until held_until.
CREATE TABLE semel_jobs (
    name       TEXT    NOT NULL PRIMARY KEY,
    holder     TEXT    NOT NULL,
    held_until INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at   INTEGER,
    report     TEXT
);
