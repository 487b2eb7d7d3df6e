-- Consumers take events of the inbox for a limited time, so that two never work on the same event.
-- To undo: ALTER TABLE webhook_inbox DROP COLUMN taken_until, DROP COLUMN take_token, DROP COLUMN taken_by;
-- take_token is the take that holds the event, or held it last.
ALTER TABLE webhook_inbox
    ADD COLUMN taken_until DATETIME(6),
    ADD COLUMN take_token CHAR(36) CHARACTER SET ascii COLLATE ascii_bin,
    ADD COLUMN taken_by VARCHAR(255);
