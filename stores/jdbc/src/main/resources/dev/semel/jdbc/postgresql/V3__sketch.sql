-- The sketch: what is remembered of the request that has the claim, to explain a mismatch later. Null: nothing is, as in
-- rows of versions that do not know the column. They leave it as it is when they take an expired claim over: while such a
-- version runs, a sketch may be of the request before.
-- Without a default, so that no row is rewritten: this takes a moment, however large the table is.
-- Way back: ALTER TABLE idempotency_keys DROP COLUMN sketch;
ALTER TABLE idempotency_keys ADD COLUMN IF NOT EXISTS sketch bytea;
