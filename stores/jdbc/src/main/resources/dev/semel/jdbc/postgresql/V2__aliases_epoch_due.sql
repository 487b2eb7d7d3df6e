-- Aliases: a claim may have several digests. One row is the record; the others are pointers to it. Versions without
-- aliases see pointers as UNKNOWN and run nothing.
-- The epoch of replay caches.
-- New indexes, only on columns that a settlement does not change: it updates no index and stays on its row's page.
-- On a large table, add the columns and create the three indexes CONCURRENTLY beforehand. This file then skips them.
-- To revert, after all versions that write aliases have been stopped:
--     DELETE FROM idempotency_keys WHERE alias_of IS NOT NULL;
--     ALTER TABLE idempotency_keys DROP COLUMN alias_of, DROP COLUMN alias_conflict, DROP COLUMN due_at;
--     CREATE INDEX idempotency_keys_expires_idx ON idempotency_keys (expires_at) WHERE expires_at IS NOT NULL;
--     CREATE INDEX idempotency_keys_stale_idx ON idempotency_keys (lease_until) WHERE status = 'IN_PROGRESS';
--     CREATE INDEX idempotency_keys_browse_idx ON idempotency_keys (tenant, status, created_at, key_hash);
--     DROP TABLE semel_epoch;
ALTER TABLE idempotency_keys
    -- The record's digest in a pointer; null in a record.
    ADD COLUMN IF NOT EXISTS alias_of bytea,
    -- The digest of another record that a caller named as the same claim. An operator has to investigate it.
    ADD COLUMN IF NOT EXISTS alias_conflict bytea,
    -- When the sweep reads the row next: never later than it needs work. Null: never. The default is for rows of versions
    -- without this column: the sweep reads them at once and corrects the time.
    ADD COLUMN IF NOT EXISTS due_at timestamptz DEFAULT 'epoch';

-- Leaves space for the settled version of every row on its page: a batch settles a whole page at once.
ALTER TABLE idempotency_keys SET (fillfactor = 50);

-- The sweep finds due rows. Replaces the index on expires_at and the index on running claims.
CREATE INDEX IF NOT EXISTS idempotency_keys_due_idx ON idempotency_keys (due_at) WHERE due_at IS NOT NULL;

DROP INDEX IF EXISTS idempotency_keys_expires_idx;

DROP INDEX IF EXISTS idempotency_keys_stale_idx;

-- Finds the pointers to a record.
CREATE INDEX IF NOT EXISTS idempotency_keys_alias_idx ON idempotency_keys (alias_of) WHERE alias_of IS NOT NULL;

-- Lists a tenant's records, newest first, without pointers. Replaces idempotency_keys_browse_idx, which every change of
-- the status had to update.
CREATE INDEX IF NOT EXISTS idempotency_keys_records_idx ON idempotency_keys (tenant, created_at, key_hash)
    WHERE alias_of IS NULL;

DROP INDEX IF EXISTS idempotency_keys_browse_idx;

-- One row. A change of cacheable results advances the epoch; entries cached under an earlier epoch are ignored.
CREATE TABLE IF NOT EXISTS semel_epoch (
    id    integer NOT NULL PRIMARY KEY CHECK (id = 1),
    epoch bigint  NOT NULL
);

INSERT INTO semel_epoch (id, epoch) VALUES (1, 1) ON CONFLICT (id) DO NOTHING;
