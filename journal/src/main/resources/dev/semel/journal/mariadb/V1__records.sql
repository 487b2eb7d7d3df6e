-- The ledger and call events. Times are UTC. Names are stored as bytes, because text would be compared without trailing
-- blanks.
-- To undo (deletes all rows): DROP TABLE ledger_ingestion_idempotency, events, calls, semel_positions;
-- One row for each journal: the last position that was assigned. A writer locks its row until the commit, so rows become
-- visible in the order of their positions and a reader never misses one.
CREATE TABLE IF NOT EXISTS semel_positions (
    name          VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    last_position BIGINT NOT NULL
) ENGINE = InnoDB;

INSERT INTO semel_positions (name, last_position) VALUES ('events', 0), ('calls', 0)
    ON DUPLICATE KEY UPDATE last_position = last_position;

-- The ledger's events, which are never changed. Other applications may insert events too, without a key. Payload and members
-- are stored without any change.
CREATE TABLE IF NOT EXISTS events (
    position    BIGINT          NOT NULL DEFAULT 0 PRIMARY KEY,
    id          CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    org_id      VARBINARY(1020) NOT NULL,
    actor_id    VARCHAR(255),
    event_type  VARCHAR(255)    NOT NULL,
    entity_type VARCHAR(255),
    entity_id   VARCHAR(255),
    payload     LONGTEXT,
    -- Members of the event that fit no other column, as a JSON object.
    members     LONGTEXT,
    created_at  DATETIME(6)     NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
    UNIQUE KEY events_id_uq (id),
    -- An organization's events in the order of writing.
    KEY events_order_idx (org_id, position)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- This trigger assigns a position if the writer gives none. Keep such transactions short: the ledger waits for them.
CREATE TRIGGER events_position BEFORE INSERT ON events FOR EACH ROW
BEGIN
    IF NEW.position = 0 THEN
        UPDATE semel_positions SET last_position = last_position + 1 WHERE name = 'events';
        SET NEW.position = (SELECT last_position FROM semel_positions WHERE name = 'events');
    END IF;
END;

CREATE TRIGGER events_no_update BEFORE UPDATE ON events FOR EACH ROW
    SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT =
        'The ledger is append-only: write a new event that corrects the old one';

CREATE TRIGGER events_no_delete BEFORE DELETE ON events FOR EACH ROW
    SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT =
        'The ledger is append-only: write a new event that corrects the old one';

-- The event of each idempotency key. The hash is over organization and key, because keys are longer than an index allows.
CREATE TABLE IF NOT EXISTS ledger_ingestion_idempotency (
    key_hash        BINARY(32)      NOT NULL PRIMARY KEY,
    org_id          VARBINARY(1020) NOT NULL,
    idempotency_key VARBINARY(4096) NOT NULL,
    event_id        CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    created_at      DATETIME(6)     NOT NULL,
    CONSTRAINT ledger_ingestion_event_fk FOREIGN KEY (event_id) REFERENCES events (id)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- Call events. Rows without a signature hash never conflict, because null is not equal to null.
CREATE TABLE IF NOT EXISTS calls (
    position       BIGINT          NOT NULL DEFAULT 0 PRIMARY KEY,
    id             CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    site_id        VARBINARY(1020) NOT NULL,
    -- SHA-256 of the signature's text, in hexadecimal; null for calls without a signature.
    signature_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin,
    -- Whether the signature was verified with the site's secret.
    verified       BOOLEAN         NOT NULL DEFAULT FALSE,
    body           LONGTEXT        NOT NULL,
    created_at     DATETIME(6)     NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
    UNIQUE KEY calls_id_uq (id),
    UNIQUE KEY calls_site_signature_hash_uq (site_id, signature_hash),
    -- A site's calls in the order of writing.
    KEY calls_order_idx (site_id, position)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TRIGGER calls_position BEFORE INSERT ON calls FOR EACH ROW
BEGIN
    IF NEW.position = 0 THEN
        UPDATE semel_positions SET last_position = last_position + 1 WHERE name = 'calls';
        SET NEW.position = (SELECT last_position FROM semel_positions WHERE name = 'calls');
    END IF;
END;
