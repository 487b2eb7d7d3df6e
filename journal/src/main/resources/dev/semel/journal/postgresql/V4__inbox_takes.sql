-- Consumers take events of the inbox for a limited time, so that two never work on the same event.
-- To undo: ALTER TABLE webhook_inbox DROP COLUMN taken_until, DROP COLUMN take_token, DROP COLUMN taken_by;
ALTER TABLE webhook_inbox ADD COLUMN IF NOT EXISTS taken_until timestamptz;

-- The take that holds the event, or held it last.
ALTER TABLE webhook_inbox ADD COLUMN IF NOT EXISTS take_token uuid;

ALTER TABLE webhook_inbox ADD COLUMN IF NOT EXISTS taken_by varchar(255);
