-- The webhook inbox. Events are written in the transaction of their claim (idempotency_keys), so exactly once.
-- To undo (deletes all events but not their claims): DROP TABLE webhook_inbox;
--     DELETE FROM semel_positions WHERE name = 'webhook_inbox';
CREATE TABLE IF NOT EXISTS webhook_inbox (
    position     BIGINT          NOT NULL PRIMARY KEY,
    id           CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    tenant       VARBINARY(1020) NOT NULL,
    provider     VARBINARY(400)  NOT NULL,
    event_type   VARCHAR(255),
    -- The claim's digest with the secret of that time, and the prefix that logs show. The key itself is not stored.
    key_hash     BINARY(32)      NOT NULL,
    key_prefix   VARCHAR(16)     NOT NULL,
    content_type VARCHAR(255)    NOT NULL,
    -- Whether the signature was verified.
    verified     BOOLEAN         NOT NULL,
    -- SHA-256 of the body.
    payload_hash BINARY(32)      NOT NULL,
    -- Both are encrypted: AES-256-GCM with the tenant's key, bound to this row's id.
    headers      LONGBLOB,
    body         LONGBLOB        NOT NULL,
    received_at  DATETIME(6)     NOT NULL,
    -- When the event was acknowledged, and by which consumer.
    acked_at     DATETIME(6),
    acked_by     VARCHAR(255),
    UNIQUE KEY webhook_inbox_id_uq (id),
    -- A tenant's events in the order of writing: all, of one provider, not acknowledged.
    KEY webhook_inbox_order_idx (tenant, position),
    KEY webhook_inbox_provider_idx (tenant, provider, position),
    KEY webhook_inbox_open_idx (tenant, acked_at, position),
    -- For the retention, which deletes acknowledged events.
    KEY webhook_inbox_acked_idx (acked_at)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

INSERT INTO semel_positions (name, last_position) VALUES ('webhook_inbox', 0)
    ON DUPLICATE KEY UPDATE last_position = last_position;
