CREATE TABLE IF NOT EXISTS orders (
    id        VARCHAR(36) PRIMARY KEY,
    reference VARCHAR(64) NOT NULL,
    item      VARCHAR(64) NOT NULL,
    cents     BIGINT      NOT NULL,
    paid      BIGINT      NOT NULL
);

-- Neither table has a unique key that would stop a duplicate: the claims do.
CREATE TABLE IF NOT EXISTS payments (
    event     VARCHAR(64) NOT NULL,
    reference VARCHAR(64) NOT NULL,
    cents     BIGINT      NOT NULL
);
