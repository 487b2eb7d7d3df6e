// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.Status;
import dev.semel.spi.ClaimBrowser.Query;
import dev.semel.spi.ClaimEntry;
import dev.semel.spi.ClaimPage;
import dev.semel.testservers.PostgresServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lists and look-ups over ten million claims on PostgreSQL. The times are logged, and the 95th percentile has a limit. */
@Tag("large")
class TenMillionClaimsTest {
    private static final Logger LOG = LoggerFactory.getLogger(TenMillionClaimsTest.class);
    private static final int ROWS = Integer.getInteger("semel.large.rows", 10_000_000);
    private static final int ROUNDS = 100;
    private static final Duration LIMIT = Duration.ofMillis(100);

    /** One claim in a million is parked, one scope of ten thousand is rare. */
    private static final String FILL = """
            INSERT INTO idempotency_keys
                (key_hash, tenant, scope, secret_id, record_id, claim_nonce, fingerprint, status, on_stale, attempt_count,
                 fence, ttl_micros, created_at, lease_until, run_until, completed_at,
                 result_type, result, due_at)
            SELECT sha256(convert_to('key-' || i, 'UTF8')), 'acme',
                   CASE WHEN i %% 10000 = 7 THEN 'rare' ELSE 'scope-' || i %% 20 END, 'secret', gen_random_uuid(),
                   gen_random_uuid(), sha256('x'), CASE WHEN i %% 1000000 = 3 THEN 'UNKNOWN'::semel_status ELSE 'SUCCEEDED' END, 'RERUN', 1,
                   i, 7 * 86400000000, t, t, t, t, 'text/plain', 'result', t + interval '7 days'
            FROM (SELECT i, now() - i * interval '50 milliseconds' AS t FROM generate_series(%d, %d) AS i) AS g
            """;

    @Test
    void listsAndLookUpsAnswerInTime() throws Exception {
        try (PostgresServer server = PostgresServer.start();
                ClaimDatabase database = ClaimDatabase.postgres(server)) {
            JdbcClaimStore store = database.store(2);
            for (int from = 1; from <= ROWS; from += 1_000_000) {
                database.execute(FILL.formatted(from, Math.min(ROWS, from + 999_999)));
                LOG.info("{} of {} rows", Math.min(ROWS, from + 999_999), ROWS);
            }
            database.execute("ANALYZE idempotency_keys");
            Query all = Query.of("acme", 100);
            Instant oldest = Instant.now().minus(Duration.ofMillis(50L * ROWS));

            measure("newest page", () -> store.page(all).entries());
            measure(
                    "page at a random time",
                    () -> store.page(all.before(randomAfter(oldest))).entries());
            measure("rare scope", () -> store.page(all.inScope("rare")).entries());
            measure(
                    "parked claims",
                    () -> store.page(all.withStatus(Status.UNKNOWN)).entries());
            measure(
                    "parked claims at a random time",
                    () -> store.page(all.withStatus(Status.UNKNOWN).before(randomAfter(oldest)))
                            .entries());
            List<ClaimEntry> some = store.page(all).entries();
            measure(
                    "prefix",
                    () -> store.withPrefix(
                            "acme", some.get(0).ref().digest().hex().substring(0, 16), 10));
            measure("one claim", () -> List.of(store.find(some.get(1).ref()).orElseThrow()));
            measure("scopes", () -> {
                assertThat(store.scopes("acme", 1_000).names()).hasSizeGreaterThan(20);
                return some;
            });

            long started = System.nanoTime();
            int pages = 1;
            int parked = 0;
            ClaimPage page = store.page(all.withStatus(Status.UNKNOWN));
            while (page.next() != null) {
                parked += page.entries().size();
                page = store.page(all.withStatus(Status.UNKNOWN).after(page.next()));
                pages++;
            }
            LOG.info(
                    "all {} parked claims: {} pages in {} ms",
                    parked + page.entries().size(),
                    pages,
                    Duration.ofNanos(System.nanoTime() - started).toMillis());
            assertThat(parked + page.entries().size()).isEqualTo((ROWS + 999_996) / 1_000_000);
        }
    }

    private static Instant randomAfter(Instant oldest) {
        return oldest.plusMillis(ThreadLocalRandom.current().nextLong(50L * ROWS));
    }

    private static void measure(String name, Supplier<List<ClaimEntry>> query) {
        List<Duration> times = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            long started = System.nanoTime();
            assertThat(query.get()).as(name).isNotNull();
            times.add(Duration.ofNanos(System.nanoTime() - started));
        }
        Collections.sort(times);
        Duration p95 = times.get(ROUNDS * 95 / 100);
        LOG.info(
                "{}: median {} ms, 95th percentile {} ms",
                name,
                times.get(ROUNDS / 2).toNanos() / 1e6,
                p95.toNanos() / 1e6);
        assertThat(p95).as(name).isLessThan(LIMIT);
    }
}
