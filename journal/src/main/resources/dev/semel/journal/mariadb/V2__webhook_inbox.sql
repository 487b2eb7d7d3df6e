-- The webhook inbox: events that are written in the transaction of their claim (idempotency_keys), and so exactly once.
-- Way back (every event in it is forgotten, its claim is not): DROP TABLE webhook_inbox;
--     DELETE FROM semel_positions WHERE name = 'webhook_inbox';
CREATE TABLE IF NOT EXISTS webhook_inbox (
    position     BIGINT          NOT NULL PRIMARY KEY,
    id           CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    tenant       VARBINARY(1020) NOT NULL,
    provider     VARBINARY(400)  NOT NULL,
    event_type   VARCHAR(255),
    -- The claim's digest by the secret of that time, and what logs show of the key. The key itself is not stored.
    key_hash     BINARY(32)      NOT NULL,
    key_prefix   VARCHAR(16)     NOT NULL,
    content_type VARCHAR(255)    NOT NULL,
    -- Whether the signature was checked.
    verified     BOOLEAN         NOT NULL,
    -- SHA-256 of the body.
    payload_hash BINARY(32)      NOT NULL,
    -- Both are sealed: AES-256-GCM by the tenant's key, bound to this row's id.
    headers      LONGBLOB,
    body         LONGBLOB        NOT NULL,
    received_at  DATETIME(6)     NOT NULL,
    -- When a consumer said that it is done with it, and who.
    acked_at     DATETIME(6),
    acked_by     VARCHAR(255),
    UNIQUE KEY webhook_inbox_id_uq (id),
    -- A tenant's events in order of writing: all of them, a provider's, those that nobody has acknowledged.
    KEY webhook_inbox_order_idx (tenant, position),
    KEY webhook_inbox_provider_idx (tenant, provider, position),
    KEY webhook_inbox_open_idx (tenant, acked_at, position),
    -- What retention looks for.
    KEY webhook_inbox_acked_idx (acked_at)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

INSERT INTO semel_positions (name, last_position) VALUES ('webhook_inbox', 0)
    ON DUPLICATE KEY UPDATE last_position = last_position;
