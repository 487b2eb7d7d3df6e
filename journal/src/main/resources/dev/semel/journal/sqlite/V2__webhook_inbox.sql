-- The webhook inbox. Events are written in the transaction of their claim (idempotency_keys), so exactly once.
-- To undo (deletes all events but not their claims): DROP TABLE webhook_inbox;
CREATE TABLE webhook_inbox (
    position     INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    id           TEXT    NOT NULL UNIQUE,
    tenant       TEXT    NOT NULL,
    provider     TEXT    NOT NULL,
    event_type   TEXT,
    -- The claim's digest with the secret of that time, and the prefix that logs show. The key itself is not stored.
    key_hash     BLOB    NOT NULL CHECK (length(key_hash) = 32),
    key_prefix   TEXT    NOT NULL,
    content_type TEXT    NOT NULL,
    -- Whether the signature was verified.
    verified     INTEGER NOT NULL,
    -- SHA-256 of the body.
    payload_hash BLOB    NOT NULL CHECK (length(payload_hash) = 32),
    -- Both are encrypted: AES-256-GCM with the tenant's key, bound to this row's id.
    headers      BLOB,
    body         BLOB    NOT NULL,
    received_at  INTEGER NOT NULL,
    -- When the event was acknowledged, and by which consumer.
    acked_at     INTEGER,
    acked_by     TEXT
);

-- A tenant's events in the order of writing: all, of one provider, not acknowledged.
CREATE INDEX webhook_inbox_order_idx ON webhook_inbox (tenant, position);

CREATE INDEX webhook_inbox_provider_idx ON webhook_inbox (tenant, provider, position);

CREATE INDEX webhook_inbox_open_idx ON webhook_inbox (tenant, position) WHERE acked_at IS NULL;

-- For the retention, which deletes acknowledged events.
CREATE INDEX webhook_inbox_acked_idx ON webhook_inbox (acked_at) WHERE acked_at IS NOT NULL;
