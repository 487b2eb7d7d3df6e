-- Events and calls get an id if the writer gives none. (On PostgreSQL this version also changes the order of writing; here the
-- positions are that order already.)
-- SQLite cannot alter a default. Its documentation allows editing the table's text for that, because no stored row changes. A
-- copy of the table would lose triggers and indexes that others have added. The trigger is recreated so that every connection
-- reads the schema again. A table with a different text is not changed, and its writers must give ids.
-- To undo: replace the new texts with the old ones.
PRAGMA writable_schema = ON;

UPDATE sqlite_schema
SET sql = replace(sql, 'id          TEXT    NOT NULL UNIQUE,', 'id          TEXT    NOT NULL UNIQUE DEFAULT (lower('
    || 'hex(randomblob(4)) || ''-'' || hex(randomblob(2)) || ''-4'' || substr(hex(randomblob(2)), 2) || ''-'''
    || ' || substr(''89ab'', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || ''-'' || hex(randomblob(6)))),')
WHERE type = 'table' AND name = 'events';

UPDATE sqlite_schema
SET sql = replace(sql, 'id             TEXT    NOT NULL UNIQUE,', 'id             TEXT    NOT NULL UNIQUE DEFAULT (lower('
    || 'hex(randomblob(4)) || ''-'' || hex(randomblob(2)) || ''-4'' || substr(hex(randomblob(2)), 2) || ''-'''
    || ' || substr(''89ab'', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || ''-'' || hex(randomblob(6)))),')
WHERE type = 'table' AND name = 'calls';

PRAGMA writable_schema = RESET;

DROP TRIGGER IF EXISTS events_no_update;

CREATE TRIGGER events_no_update BEFORE UPDATE ON events
BEGIN
    SELECT RAISE(ABORT, 'The ledger is append-only: write a new event that corrects the old one');
END;
