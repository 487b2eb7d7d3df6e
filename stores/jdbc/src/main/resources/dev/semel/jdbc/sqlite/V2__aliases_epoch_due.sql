-- Aliases: a claim may have several digests. One row is the record; the others are pointers to it. Versions without
-- aliases see pointers as UNKNOWN and run nothing.
-- The epoch of replay caches.
-- New indexes, only on columns that a settlement does not change: it updates no index.
-- To revert, after all versions that write aliases have been stopped:
--     DELETE FROM idempotency_keys WHERE alias_of IS NOT NULL;
--     DROP INDEX idempotency_keys_alias_idx; DROP INDEX idempotency_keys_records_idx;
--     DROP INDEX idempotency_keys_due_idx; ALTER TABLE idempotency_keys DROP COLUMN due_at;
--     CREATE INDEX idempotency_keys_expires_idx ON idempotency_keys (expires_at) WHERE expires_at IS NOT NULL;
--     CREATE INDEX idempotency_keys_stale_idx ON idempotency_keys (lease_until) WHERE status = 'IN_PROGRESS';
--     ALTER TABLE idempotency_keys DROP COLUMN alias_of;
--     ALTER TABLE idempotency_keys DROP COLUMN alias_conflict;
--     CREATE INDEX idempotency_keys_browse_idx ON idempotency_keys (tenant, status, created_at, key_hash);
--     DROP TABLE semel_epoch;
-- The record's digest in a pointer; null in a record.
ALTER TABLE idempotency_keys ADD COLUMN alias_of BLOB;

-- The digest of another record that a caller named as the same claim. An operator has to investigate it.
ALTER TABLE idempotency_keys ADD COLUMN alias_conflict BLOB;

-- When the sweep reads the row next: never later than it needs work. Null: never. The default is for rows of versions
-- without this column: the sweep reads them at once and corrects the time.
ALTER TABLE idempotency_keys ADD COLUMN due_at INTEGER DEFAULT 0;

-- The sweep finds due rows. Replaces the index on expires_at and the index on running claims.
CREATE INDEX idempotency_keys_due_idx ON idempotency_keys (due_at) WHERE due_at IS NOT NULL;

DROP INDEX idempotency_keys_expires_idx;

DROP INDEX idempotency_keys_stale_idx;

-- Finds the pointers to a record.
CREATE INDEX idempotency_keys_alias_idx ON idempotency_keys (alias_of) WHERE alias_of IS NOT NULL;

-- Lists a tenant's records, newest first, without pointers. Replaces idempotency_keys_browse_idx, which every change of
-- the status had to update.
CREATE INDEX idempotency_keys_records_idx ON idempotency_keys (tenant, created_at, key_hash) WHERE alias_of IS NULL;

DROP INDEX idempotency_keys_browse_idx;

-- One row. A change of cacheable results advances the epoch; entries cached under an earlier epoch are ignored.
CREATE TABLE semel_epoch (
    id    INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    epoch INTEGER NOT NULL
);

INSERT INTO semel_epoch (id, epoch) VALUES (1, 1);
