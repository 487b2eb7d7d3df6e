-- The history of claims: take-overs, conflicts, parks and operators' decisions. Ordinary claims write nothing here.
-- The number of replays of claims, which is approximate.
-- The jobs that one instance at a time runs, such as the cleanup, and their last runs.
-- To revert: DROP TABLE semel_key_history; DROP TABLE semel_key_replays; DROP TABLE semel_jobs;
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

CREATE TABLE IF NOT EXISTS semel_key_replays (
    key_hash BINARY(32)   NOT NULL PRIMARY KEY,
    tenant   VARCHAR(255) NOT NULL,
    replays  BIGINT       NOT NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- One row per job. The holder may run the job until held_until.
CREATE TABLE IF NOT EXISTS semel_jobs (
    name       VARCHAR(64)   NOT NULL PRIMARY KEY,
    holder     VARCHAR(64)   NOT NULL,
    held_until DATETIME(6)   NOT NULL,
    started_at DATETIME(6)   NOT NULL,
    ended_at   DATETIME(6),
    report     VARCHAR(1024)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
