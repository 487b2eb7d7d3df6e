-- Aliases: a claim may have several digests. One row is the record; the others are pointers to it. Versions without
-- aliases see pointers as UNKNOWN and run nothing.
-- The epoch of replay caches.
-- New indexes, only on columns that a settlement does not change: it updates no index.
-- To revert, after all versions that write aliases have been stopped:
--     DELETE FROM idempotency_keys WHERE alias_of IS NOT NULL;
--     ALTER TABLE idempotency_keys DROP KEY idempotency_keys_alias_idx, DROP KEY idempotency_keys_records_idx,
--         DROP KEY idempotency_keys_due_idx,
--         ADD KEY idempotency_keys_expires_idx (expires_at), ADD KEY idempotency_keys_stale_idx (status, lease_until),
--         ADD KEY idempotency_keys_browse_idx (tenant, status, created_at),
--         DROP COLUMN alias_of, DROP COLUMN alias_conflict, DROP COLUMN due_at;
--     DROP TABLE semel_epoch;
-- One row. A change of cacheable results advances the epoch; entries cached under an earlier epoch are ignored.
CREATE TABLE IF NOT EXISTS semel_epoch (
    id    INT    NOT NULL PRIMARY KEY CHECK (id = 1),
    epoch BIGINT NOT NULL
) ENGINE = InnoDB;

INSERT INTO semel_epoch (id, epoch) VALUES (1, 1) ON DUPLICATE KEY UPDATE epoch = epoch;

-- One statement, and the last one, because it is not repeatable: an existing column means that all of it was applied.
ALTER TABLE idempotency_keys
    -- The record's digest in a pointer; null in a record.
    ADD COLUMN alias_of BINARY(32),
    -- The digest of another record that a caller named as the same claim. An operator has to investigate it.
    ADD COLUMN alias_conflict BINARY(32),
    -- When the sweep reads the row next: never later than it needs work. Null: never. The default is for rows of versions
    -- without this column: the sweep reads them at once and corrects the time.
    ADD COLUMN due_at DATETIME(6) DEFAULT '1970-01-01',
    -- The sweep finds due rows. Replaces the index on expires_at and the index on running claims.
    ADD KEY idempotency_keys_due_idx (due_at),
    DROP KEY idempotency_keys_expires_idx,
    DROP KEY idempotency_keys_stale_idx,
    -- Finds the pointers to a record.
    ADD KEY idempotency_keys_alias_idx (alias_of),
    -- Lists a tenant's records, newest first. InnoDB appends the primary key. Replaces idempotency_keys_browse_idx,
    -- which every change of the status had to update.
    ADD KEY idempotency_keys_records_idx (tenant, created_at),
    DROP KEY idempotency_keys_browse_idx;
