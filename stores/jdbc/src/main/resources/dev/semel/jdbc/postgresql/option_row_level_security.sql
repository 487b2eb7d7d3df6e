-- Optional: a second wall between tenants for roles other than the table's owner. Such a role sees and changes only
-- the tenant named by the setting semel.tenant, and nothing while it is not set:
--     SET semel.tenant = 'acme';
-- Semel itself serves all tenants on one connection: let it connect as the table's owner, or as a role with BYPASSRLS.
-- Way back: DROP POLICY idempotency_keys_tenant ON idempotency_keys;
--           ALTER TABLE idempotency_keys DISABLE ROW LEVEL SECURITY;
ALTER TABLE idempotency_keys ENABLE ROW LEVEL SECURITY;

CREATE POLICY idempotency_keys_tenant ON idempotency_keys
    USING (tenant = current_setting('semel.tenant', true))
    WITH CHECK (tenant = current_setting('semel.tenant', true));
