-- Consumers take events of the inbox for a limited time, so that two never work on the same event.
-- To undo: ALTER TABLE webhook_inbox DROP COLUMN taken_until, and so on for the other two.
ALTER TABLE webhook_inbox ADD COLUMN taken_until INTEGER;

-- The take that holds the event, or held it last.
ALTER TABLE webhook_inbox ADD COLUMN take_token TEXT;

ALTER TABLE webhook_inbox ADD COLUMN taken_by TEXT;
