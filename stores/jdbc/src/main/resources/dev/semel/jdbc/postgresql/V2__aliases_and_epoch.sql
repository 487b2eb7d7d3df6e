-- Aliases: a claim may be found under several digests. One row is the record; the others only lead to it. To a version
-- that does not know them they look UNKNOWN, so that it runs nothing. And the epoch that replay caches go by.
-- On a large table, create the two indexes CONCURRENTLY beforehand; they are then left as they are.
-- Way back, once no version that writes aliases runs any more:
--     DELETE FROM idempotency_keys WHERE alias_of IS NOT NULL;
--     ALTER TABLE idempotency_keys DROP COLUMN alias_of, DROP COLUMN alias_conflict;
--     CREATE INDEX idempotency_keys_browse_idx ON idempotency_keys (tenant, status, created_at, key_hash);
--     DROP TABLE semel_epoch;
ALTER TABLE idempotency_keys
    -- The record's digest, in a row that leads to it; null in a record.
    ADD COLUMN IF NOT EXISTS alias_of bytea,
    -- The digest of another record that a caller took for the same claim: something for a person to look into.
    ADD COLUMN IF NOT EXISTS alias_conflict bytea;

-- Finds the rows that lead to a record.
CREATE INDEX IF NOT EXISTS idempotency_keys_alias_idx ON idempotency_keys (alias_of) WHERE alias_of IS NOT NULL;

-- Takes the place of idempotency_keys_browse_idx: people page through records, not through what leads to them.
CREATE INDEX IF NOT EXISTS idempotency_keys_records_idx ON idempotency_keys (tenant, status, created_at, key_hash)
    WHERE alias_of IS NULL;

DROP INDEX IF EXISTS idempotency_keys_browse_idx;

-- One row. Whoever changes what may be cached advances it, and what was cached under an earlier epoch is not found.
CREATE TABLE IF NOT EXISTS semel_epoch (
    id    integer NOT NULL PRIMARY KEY CHECK (id = 1),
    epoch bigint  NOT NULL
);

INSERT INTO semel_epoch (id, epoch) VALUES (1, 1) ON CONFLICT (id) DO NOTHING;
