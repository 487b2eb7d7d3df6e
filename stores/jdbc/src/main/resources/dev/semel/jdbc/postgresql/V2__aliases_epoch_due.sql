-- Aliases: a claim may be found under several digests. One row is the record; the others only lead to it. To a version
-- that does not know them they look UNKNOWN, so that it runs nothing. The epoch that replay caches go by. And indexes of
-- columns that a settlement leaves alone, so that it writes to none of them and stays on its row's page.
-- On a large table, add the columns and create the three indexes CONCURRENTLY beforehand; they are then left alone.
-- Way back, once no version that writes aliases runs any more:
--     DELETE FROM idempotency_keys WHERE alias_of IS NOT NULL;
--     ALTER TABLE idempotency_keys DROP COLUMN alias_of, DROP COLUMN alias_conflict, DROP COLUMN due_at;
--     CREATE INDEX idempotency_keys_expires_idx ON idempotency_keys (expires_at) WHERE expires_at IS NOT NULL;
--     CREATE INDEX idempotency_keys_stale_idx ON idempotency_keys (lease_until) WHERE status = 'IN_PROGRESS';
--     CREATE INDEX idempotency_keys_browse_idx ON idempotency_keys (tenant, status, created_at, key_hash);
--     DROP TABLE semel_epoch;
ALTER TABLE idempotency_keys
    -- The record's digest, in a row that leads to it; null in a record.
    ADD COLUMN IF NOT EXISTS alias_of bytea,
    -- The digest of another record that a caller took for the same claim: something for a person to look into.
    ADD COLUMN IF NOT EXISTS alias_conflict bytea,
    -- When clean-up shall look at the row: never later than there is something to do. Null: never. The default, for
    -- rows of versions that do not know it: at once, and then it is set right.
    ADD COLUMN IF NOT EXISTS due_at timestamptz DEFAULT 'epoch';

-- Room for the settled version of every row beside the claimed one: a batch settles a whole page of them at once.
ALTER TABLE idempotency_keys SET (fillfactor = 50);

-- Clean-up finds what it shall look at. Takes the place of an index of expires_at and one of running claims.
CREATE INDEX IF NOT EXISTS idempotency_keys_due_idx ON idempotency_keys (due_at) WHERE due_at IS NOT NULL;

DROP INDEX IF EXISTS idempotency_keys_expires_idx;

DROP INDEX IF EXISTS idempotency_keys_stale_idx;

-- Finds the rows that lead to a record.
CREATE INDEX IF NOT EXISTS idempotency_keys_alias_idx ON idempotency_keys (alias_of) WHERE alias_of IS NOT NULL;

-- People page through a tenant's records, newest first; not through what leads to them. Takes the place of
-- idempotency_keys_browse_idx, which changed with the status.
CREATE INDEX IF NOT EXISTS idempotency_keys_records_idx ON idempotency_keys (tenant, created_at, key_hash)
    WHERE alias_of IS NULL;

DROP INDEX IF EXISTS idempotency_keys_browse_idx;

-- One row. Whoever changes what may be cached advances it, and what was cached under an earlier epoch is not found.
CREATE TABLE IF NOT EXISTS semel_epoch (
    id    integer NOT NULL PRIMARY KEY CHECK (id = 1),
    epoch bigint  NOT NULL
);

INSERT INTO semel_epoch (id, epoch) VALUES (1, 1) ON CONFLICT (id) DO NOTHING;
