-- Rows are ordered by numbers from a sequence instead of PostgreSQL's transaction numbers, so that a page waits only for
-- transactions that write to the journal. Events and calls get an id if the writer gives none.
-- Instances of the earlier version keep working. Their pages show rows that are written from now on once they are upgraded.
-- To undo, while nothing is being written: ALTER TABLE events ALTER COLUMN id DROP DEFAULT;
--     ALTER TABLE calls ALTER COLUMN id DROP DEFAULT; UPDATE semel_writes SET cluster = NULL; the function semel_write()
--     of V1; DROP FUNCTION semel_settled(); DROP SEQUENCE semel_write_numbers;
-- Fails, and changes nothing, if a transaction that has written to the journal stays open for 30 seconds.
SET LOCAL lock_timeout = '30s';

ALTER TABLE events ALTER COLUMN id SET DEFAULT gen_random_uuid();

ALTER TABLE calls ALTER COLUMN id SET DEFAULT gen_random_uuid();

-- One number for each write. Sessions must not cache numbers: a number that is drawn later must be greater.
CREATE SEQUENCE IF NOT EXISTS semel_write_numbers AS bigint CACHE 1;

-- Waits until no transaction with an old number is open. The first new number is far above all old ones, also above those that
-- the earlier version assigns while both versions run.
-- semel_write() draws the number of a write. Before its first number, a transaction takes a shared advisory lock that holds the
-- last number that was drawn, and keeps it until it ends, prepared transactions included. The lock's first key holds 16 bits
-- that identify this sequence and 16 bits of the number; its second key holds the other 32 bits. The setting semel.writing says
-- that this transaction has its lock; like the lock, it is undone with a savepoint.
-- semel_settled() is the number up to which all writes have ended. Call it in a separate statement before the one that reads
-- rows: see PostgresJournalDialect.
DO $migration$
DECLARE
    place text := (SELECT n.nspname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
                   WHERE c.oid = 'semel_write_numbers'::regclass);
    numbers text := format('%I.semel_write_numbers', place);
BEGIN
    LOCK TABLE events, calls, webhook_inbox IN SHARE ROW EXCLUSIVE MODE;
    PERFORM setval(numbers, greatest(
        (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM semel_write_numbers),
        (SELECT coalesce(max(w.last), 0) + 1099511627776 FROM
            (SELECT max(write) AS last FROM events UNION ALL SELECT max(write) FROM calls
             UNION ALL SELECT max(write) FROM webhook_inbox
             UNION ALL SELECT base + pg_current_xact_id()::text::bigint FROM semel_writes) AS w)));
    EXECUTE format($create$
        CREATE OR REPLACE FUNCTION semel_write() RETURNS bigint LANGUAGE plpgsql VOLATILE
            SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS
        $body$
        DECLARE
            last bigint;
            this text := pg_current_xact_id()::text;
        BEGIN
            IF current_setting('semel.writing', true) IS DISTINCT FROM this THEN
                SELECT n.last_value - (NOT n.is_called)::integer INTO last FROM %1$s AS n;
                PERFORM pg_advisory_xact_lock_shared(
                    ((%2$L::regclass::oid::bigint << 16 | (last >> 32 & 65535))::bit(32))::integer,
                    (last::bit(32))::integer);
                PERFORM set_config('semel.writing', this, true);
            END IF;
            RETURN nextval(%2$L::regclass);
        END
        $body$
        $create$, numbers, numbers);
    EXECUTE format($create$
        CREATE OR REPLACE FUNCTION semel_settled() RETURNS bigint LANGUAGE plpgsql VOLATILE
            SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS
        $body$
        DECLARE
            last bigint;
        BEGIN
            IF pg_is_in_recovery() THEN
                RETURN 0;
            END IF;
            SELECT n.last_value - (NOT n.is_called)::integer INTO last FROM %1$s AS n;
            -- A lock holds 48 bits; the missing bits are those of the last number. A writer that began after that number was
            -- read holds a greater one, which does not lower the result.
            RETURN (SELECT coalesce(min(last - greatest(0, (last - ((l.classid::bigint & 65535) << 32 | l.objid::bigint)
                                    + 140737488355328 & 281474976710655) - 140737488355328)), last)
                    FROM pg_locks AS l
                    WHERE l.locktype = 'advisory' AND l.objsubid = 2 AND l.mode = 'ShareLock'
                      AND l.database = (SELECT d.oid FROM pg_database AS d WHERE d.datname = current_database())
                      AND l.classid::bigint >> 16 = %2$L::regclass::oid::bigint & 65535);
        END
        $body$
        $create$, numbers, numbers);
END
$migration$;
