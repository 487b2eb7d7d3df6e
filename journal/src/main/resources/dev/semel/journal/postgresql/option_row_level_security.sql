-- Optional: row-level security for roles other than the tables' owner, like the file of the same name for idempotency_keys.
-- Such a role sees and changes only rows of the tenant in the setting semel.tenant, and none while it is not set. For events
-- and their keys the tenant is the organization, for calls it is the site:
--     SET semel.tenant = 'acme';
-- Semel serves all tenants on one connection: let it connect as the tables' owner or as a role with BYPASSRLS.
-- To undo, for each table: DROP POLICY events_tenant ON events; ALTER TABLE events DISABLE ROW LEVEL SECURITY;
ALTER TABLE events ENABLE ROW LEVEL SECURITY;

CREATE POLICY events_tenant ON events
    USING (org_id = current_setting('semel.tenant', true))
    WITH CHECK (org_id = current_setting('semel.tenant', true));

ALTER TABLE ledger_ingestion_idempotency ENABLE ROW LEVEL SECURITY;

CREATE POLICY ledger_ingestion_idempotency_tenant ON ledger_ingestion_idempotency
    USING (org_id = current_setting('semel.tenant', true))
    WITH CHECK (org_id = current_setting('semel.tenant', true));

ALTER TABLE calls ENABLE ROW LEVEL SECURITY;

CREATE POLICY calls_tenant ON calls
    USING (site_id = current_setting('semel.tenant', true))
    WITH CHECK (site_id = current_setting('semel.tenant', true));

ALTER TABLE webhook_inbox ENABLE ROW LEVEL SECURITY;

CREATE POLICY webhook_inbox_tenant ON webhook_inbox
    USING (tenant = current_setting('semel.tenant', true))
    WITH CHECK (tenant = current_setting('semel.tenant', true));
