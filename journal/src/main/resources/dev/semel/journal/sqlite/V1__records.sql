-- The ledger and call events. Times are microseconds since 1970. SQLite has one writer at a time, so the order of positions is
-- the order of commits.
-- To undo (deletes all rows): DROP TABLE ledger_ingestion_idempotency; DROP TABLE events; DROP TABLE calls;
-- The ledger's events, which are never changed. Other applications may insert events too, without a key. Payload and members
-- are stored without any change.
CREATE TABLE events (
    position    INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    id          TEXT    NOT NULL UNIQUE,
    org_id      TEXT    NOT NULL,
    actor_id    TEXT,
    event_type  TEXT    NOT NULL,
    entity_type TEXT,
    entity_id   TEXT,
    payload     TEXT,
    -- Members of the event that fit no other column, as a JSON object.
    members     TEXT,
    created_at  INTEGER NOT NULL DEFAULT (CAST(round(unixepoch('subsec') * 1000000) AS INTEGER))
);

-- An organization's events in the order of writing.
CREATE INDEX events_order_idx ON events (org_id, position);

CREATE TRIGGER events_no_update BEFORE UPDATE ON events
BEGIN
    SELECT RAISE(ABORT, 'The ledger is append-only: write a new event that corrects the old one');
END;

CREATE TRIGGER events_no_delete BEFORE DELETE ON events
BEGIN
    SELECT RAISE(ABORT, 'The ledger is append-only: write a new event that corrects the old one');
END;

-- INSERT OR REPLACE deletes rows without firing a delete trigger, unless recursive triggers are enabled.
CREATE TRIGGER events_no_replace BEFORE INSERT ON events
    WHEN EXISTS (SELECT 1 FROM events WHERE id = NEW.id OR position = NEW.position)
BEGIN
    SELECT RAISE(ABORT, 'The ledger is append-only: write a new event that corrects the old one');
END;

-- The event of each idempotency key. The hash is over organization and key, as in the other databases.
CREATE TABLE ledger_ingestion_idempotency (
    key_hash        BLOB    NOT NULL PRIMARY KEY CHECK (length(key_hash) = 32),
    org_id          TEXT    NOT NULL,
    idempotency_key TEXT    NOT NULL,
    event_id        TEXT    NOT NULL REFERENCES events (id) DEFERRABLE INITIALLY DEFERRED,
    created_at      INTEGER NOT NULL
) WITHOUT ROWID;

-- Call events.
CREATE TABLE calls (
    position       INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    id             TEXT    NOT NULL UNIQUE,
    site_id        TEXT    NOT NULL,
    -- SHA-256 of the signature's text, in hexadecimal; null for calls without a signature.
    signature_hash TEXT,
    -- Whether the signature was verified with the site's secret.
    verified       INTEGER NOT NULL DEFAULT 0,
    body           TEXT    NOT NULL,
    created_at     INTEGER NOT NULL DEFAULT (CAST(round(unixepoch('subsec') * 1000000) AS INTEGER))
);

CREATE UNIQUE INDEX calls_site_signature_hash_uq ON calls (site_id, signature_hash) WHERE signature_hash IS NOT NULL;

-- A site's calls in the order of writing.
CREATE INDEX calls_order_idx ON calls (site_id, position);
