-- Optional: row level security separates tenants for roles other than the table's owner. Such a role sees and changes
-- only rows of the tenant in the setting semel.tenant, and no rows if it is not set:
--     SET semel.tenant = 'acme';
-- Semel serves all tenants on one connection: it must connect as the table's owner or as a role with BYPASSRLS.
-- To revert, for each table: DROP POLICY idempotency_keys_tenant ON idempotency_keys;
--                            ALTER TABLE idempotency_keys DISABLE ROW LEVEL SECURITY;
ALTER TABLE idempotency_keys ENABLE ROW LEVEL SECURITY;

CREATE POLICY idempotency_keys_tenant ON idempotency_keys
    USING (tenant = current_setting('semel.tenant', true))
    WITH CHECK (tenant = current_setting('semel.tenant', true));

ALTER TABLE semel_key_history ENABLE ROW LEVEL SECURITY;

CREATE POLICY semel_key_history_tenant ON semel_key_history
    USING (tenant = current_setting('semel.tenant', true))
    WITH CHECK (tenant = current_setting('semel.tenant', true));

ALTER TABLE semel_key_replays ENABLE ROW LEVEL SECURITY;

CREATE POLICY semel_key_replays_tenant ON semel_key_replays
    USING (tenant = current_setting('semel.tenant', true))
    WITH CHECK (tenant = current_setting('semel.tenant', true));
