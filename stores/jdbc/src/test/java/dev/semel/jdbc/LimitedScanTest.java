// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static dev.semel.testkit.Commands.insert;
import static dev.semel.testkit.Commands.settle;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Status;
import dev.semel.jdbc.sql.Connections;
import dev.semel.key.ClaimMode;
import dev.semel.key.KeyDigests;
import dev.semel.key.Secret;
import dev.semel.spi.ClaimBrowser.Query;
import dev.semel.spi.ClaimEntry;
import dev.semel.spi.ClaimPage;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** A page reads a limited number of rows, however few of them match, and the next page goes on there. */
class LimitedScanTest {
    private static final int SCAN = 5;
    private static final KeyDigests DIGESTS = new KeyDigests(Secret.of("a secret of this test, for this test only"));

    @ParameterizedTest
    @EachDatabase
    void rareClaimsAreFoundPageByPage(DatabaseKind kind, @TempDir Path folder) throws Exception {
        try (ClaimDatabase database = ClaimDatabase.of(kind, folder.resolve("claims.db"))) {
            JdbcClaimStore store = database.store(2);
            JdbcClaimBrowser browser = browser(store);
            List<ClaimRef> parked = new ArrayList<>();
            for (int i = 0; i < 23; i++) {
                ClaimRef ref = DIGESTS.refOf(ClaimMode.LEASED, new ClaimKey("acme", "orders", "key-" + i));
                store.apply(List.of(insert(ref)));
                if (i % 11 == 0) {
                    store.apply(List.of(settle(store.read(List.of(ref)).get(ref), Status.UNKNOWN)));
                    parked.add(0, ref);
                }
                // Claims of the same moment are read together, and SQLite's clock counts milliseconds.
                database.age(ref, Duration.ofMinutes(23 - i));
            }
            Query query = Query.of("acme", 10).withStatus(Status.UNKNOWN);
            List<ClaimRef> found = new ArrayList<>();
            int pages = 1;
            ClaimPage page = browser.page(query);
            while (page.next() != null) {
                page.entries().forEach(entry -> found.add(entry.ref()));
                page = browser.page(query.after(page.next()));
                pages++;
            }
            page.entries().forEach(entry -> found.add(entry.ref()));

            assertThat(found).containsExactlyElementsOf(parked);
            assertThat(pages).as("pages of at most %d rows", SCAN).isEqualTo(5);
            assertThat(browser.page(Query.of("acme", 10)).entries())
                    .as("without a filter, every row counts")
                    .hasSize(10);
            assertThat(browser.page(query.inScope("other"))).satisfies(empty -> {
                assertThat(empty.entries()).isEmpty();
                assertThat(empty.next()).isNotNull();
            });
            assertThat(browser.scopes("acme", 10).complete()).isFalse();
            assertThat(browser.page(query).entries())
                    .extracting(ClaimEntry::ref)
                    .containsExactly(parked.get(0));
        }
    }

    private static JdbcClaimBrowser browser(JdbcClaimStore store) {
        Connections connections =
                new Connections(store.dataSource(), store.dialect().hasNetwork(), Duration.ofSeconds(10));
        return new JdbcClaimBrowser(connections, connections, store.dialect(), SCAN);
    }
}
