-- The sketch: a summary of the request that holds the claim, to explain a mismatch later. Null: no sketch, as in rows
-- of versions without this column. Those versions do not change it when they take over an expired claim, so while one
-- runs, a sketch may describe the previous request.
-- Without a default, so that no row is rewritten. This is fast on tables of any size.
-- To revert: ALTER TABLE idempotency_keys DROP COLUMN sketch;
ALTER TABLE idempotency_keys ADD COLUMN sketch BLOB;
