-- The webhook inbox: events that are written in the transaction of their claim (idempotency_keys), and so exactly once.
-- Way back (every event in it is forgotten, its claim is not): DROP TABLE webhook_inbox;
CREATE TABLE webhook_inbox (
    position     INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    id           TEXT    NOT NULL UNIQUE,
    tenant       TEXT    NOT NULL,
    provider     TEXT    NOT NULL,
    event_type   TEXT,
    -- The claim's digest by the secret of that time, and what logs show of the key. The key itself is not stored.
    key_hash     BLOB    NOT NULL CHECK (length(key_hash) = 32),
    key_prefix   TEXT    NOT NULL,
    content_type TEXT    NOT NULL,
    -- Whether the signature was checked.
    verified     INTEGER NOT NULL,
    -- SHA-256 of the body.
    payload_hash BLOB    NOT NULL CHECK (length(payload_hash) = 32),
    -- Both are sealed: AES-256-GCM by the tenant's key, bound to this row's id.
    headers      BLOB,
    body         BLOB    NOT NULL,
    received_at  INTEGER NOT NULL,
    -- When a consumer said that it is done with it, and who.
    acked_at     INTEGER,
    acked_by     TEXT
);

-- A tenant's events in order of writing: all of them, a provider's, those that nobody has acknowledged.
CREATE INDEX webhook_inbox_order_idx ON webhook_inbox (tenant, position);

CREATE INDEX webhook_inbox_provider_idx ON webhook_inbox (tenant, provider, position);

CREATE INDEX webhook_inbox_open_idx ON webhook_inbox (tenant, position) WHERE acked_at IS NULL;

-- What retention looks for.
CREATE INDEX webhook_inbox_acked_idx ON webhook_inbox (acked_at) WHERE acked_at IS NOT NULL;
