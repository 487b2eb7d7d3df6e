-- Aliases: a claim may be found under several digests. One row is the record; the others only lead to it. To a version
-- that does not know them they look UNKNOWN, so that it runs nothing. The epoch that replay caches go by. And indexes of
-- columns that a settlement leaves alone, so that it writes to none of them.
-- Way back, once no version that writes aliases runs any more:
--     DELETE FROM idempotency_keys WHERE alias_of IS NOT NULL;
--     ALTER TABLE idempotency_keys DROP KEY idempotency_keys_alias_idx, DROP KEY idempotency_keys_records_idx,
--         DROP KEY idempotency_keys_due_idx,
--         ADD KEY idempotency_keys_expires_idx (expires_at), ADD KEY idempotency_keys_stale_idx (status, lease_until),
--         ADD KEY idempotency_keys_browse_idx (tenant, status, created_at),
--         DROP COLUMN alias_of, DROP COLUMN alias_conflict, DROP COLUMN due_at;
--     DROP TABLE semel_epoch;
-- One row. Whoever changes what may be cached advances it, and what was cached under an earlier epoch is not found.
CREATE TABLE IF NOT EXISTS semel_epoch (
    id    INT    NOT NULL PRIMARY KEY CHECK (id = 1),
    epoch BIGINT NOT NULL
) ENGINE = InnoDB;

INSERT INTO semel_epoch (id, epoch) VALUES (1, 1) ON DUPLICATE KEY UPDATE epoch = epoch;

-- In one statement and the last one, because it cannot be repeated: a column that is there says that all is done.
ALTER TABLE idempotency_keys
    -- The record's digest, in a row that leads to it; null in a record.
    ADD COLUMN alias_of BINARY(32),
    -- The digest of another record that a caller took for the same claim: something for a person to look into.
    ADD COLUMN alias_conflict BINARY(32),
    -- When clean-up shall look at the row: never later than there is something to do. Null: never. The default, for
    -- rows of versions that do not know it: at once, and then it is set right.
    ADD COLUMN due_at DATETIME(6) DEFAULT '1970-01-01',
    -- Clean-up finds what it shall look at. Takes the place of an index of expires_at and one of running claims.
    ADD KEY idempotency_keys_due_idx (due_at),
    DROP KEY idempotency_keys_expires_idx,
    DROP KEY idempotency_keys_stale_idx,
    -- Finds the rows that lead to a record.
    ADD KEY idempotency_keys_alias_idx (alias_of),
    -- People page through a tenant's records, newest first; InnoDB appends the primary key. Takes the place of
    -- idempotency_keys_browse_idx, which changed with the status.
    ADD KEY idempotency_keys_records_idx (tenant, created_at),
    DROP KEY idempotency_keys_browse_idx;
