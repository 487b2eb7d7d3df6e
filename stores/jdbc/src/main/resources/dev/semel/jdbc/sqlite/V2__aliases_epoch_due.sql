-- Aliases: a claim may be found under several digests. One row is the record; the others only lead to it. To a version
-- that does not know them they look UNKNOWN, so that it runs nothing. The epoch that replay caches go by. And indexes of
-- columns that a settlement leaves alone, so that it writes to none of them.
-- Way back, once no version that writes aliases runs any more:
--     DELETE FROM idempotency_keys WHERE alias_of IS NOT NULL;
--     DROP INDEX idempotency_keys_alias_idx; DROP INDEX idempotency_keys_records_idx;
--     DROP INDEX idempotency_keys_due_idx; ALTER TABLE idempotency_keys DROP COLUMN due_at;
--     CREATE INDEX idempotency_keys_expires_idx ON idempotency_keys (expires_at) WHERE expires_at IS NOT NULL;
--     CREATE INDEX idempotency_keys_stale_idx ON idempotency_keys (lease_until) WHERE status = 'IN_PROGRESS';
--     ALTER TABLE idempotency_keys DROP COLUMN alias_of;
--     ALTER TABLE idempotency_keys DROP COLUMN alias_conflict;
--     CREATE INDEX idempotency_keys_browse_idx ON idempotency_keys (tenant, status, created_at, key_hash);
--     DROP TABLE semel_epoch;
-- The record's digest, in a row that leads to it; null in a record.
ALTER TABLE idempotency_keys ADD COLUMN alias_of BLOB;

-- The digest of another record that a caller took for the same claim: something for a person to look into.
ALTER TABLE idempotency_keys ADD COLUMN alias_conflict BLOB;

-- When clean-up shall look at the row: never later than there is something to do. Null: never. The default, for rows of
-- versions that do not know it: at once, and then it is set right.
ALTER TABLE idempotency_keys ADD COLUMN due_at INTEGER DEFAULT 0;

-- Clean-up finds what it shall look at. Takes the place of an index of expires_at and one of running claims.
CREATE INDEX idempotency_keys_due_idx ON idempotency_keys (due_at) WHERE due_at IS NOT NULL;

DROP INDEX idempotency_keys_expires_idx;

DROP INDEX idempotency_keys_stale_idx;

-- Finds the rows that lead to a record.
CREATE INDEX idempotency_keys_alias_idx ON idempotency_keys (alias_of) WHERE alias_of IS NOT NULL;

-- People page through a tenant's records, newest first; not through what leads to them. Takes the place of
-- idempotency_keys_browse_idx, which changed with the status.
CREATE INDEX idempotency_keys_records_idx ON idempotency_keys (tenant, created_at, key_hash) WHERE alias_of IS NULL;

DROP INDEX idempotency_keys_browse_idx;

-- One row. Whoever changes what may be cached advances it, and what was cached under an earlier epoch is not found.
CREATE TABLE semel_epoch (
    id    INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    epoch INTEGER NOT NULL
);

INSERT INTO semel_epoch (id, epoch) VALUES (1, 1);
