-- The history of claims: take-overs, conflicts, parks and operators' decisions. Ordinary claims write nothing here.
-- The number of replays of claims, which is approximate.
-- The jobs that one instance at a time runs, such as the cleanup, and their last runs.
-- To revert: DROP TABLE semel_key_history; DROP TABLE semel_key_replays; DROP TABLE semel_jobs;
CREATE TABLE IF NOT EXISTS semel_key_history (
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
CREATE INDEX IF NOT EXISTS semel_key_history_claim_idx ON semel_key_history (key_hash, id);

-- Lists the decisions of a tenant.
CREATE INDEX IF NOT EXISTS semel_key_history_kind_idx ON semel_key_history (tenant, kind, id);

CREATE TABLE IF NOT EXISTS semel_key_replays (
    key_hash bytea        NOT NULL PRIMARY KEY CHECK (octet_length(key_hash) = 32),
    tenant   varchar(255) NOT NULL,
    replays  bigint       NOT NULL
);

-- One row per job. The holder may run the job until held_until.
CREATE TABLE IF NOT EXISTS semel_jobs (
    name       varchar(64)  NOT NULL PRIMARY KEY,
    holder     varchar(64)  NOT NULL,
    held_until timestamptz  NOT NULL,
    started_at timestamptz  NOT NULL,
    ended_at   timestamptz,
    report     varchar(1024)
);
