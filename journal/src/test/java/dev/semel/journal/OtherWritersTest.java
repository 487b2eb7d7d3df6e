// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import static dev.semel.journal.Entries.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.journal.calls.StoredCall;
import dev.semel.journal.ledger.LedgerEvent;
import dev.semel.journal.page.Page;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** Other applications insert events and calls without an id. */
@ParameterizedClass
@EachDatabase
class OtherWritersTest {
    @Parameter
    DatabaseKind kind;

    @TempDir
    Path folder;

    @Test
    void everyRowGetsItsOwnId() throws Exception {
        try (MigratedDatabase database = MigratedDatabase.of(kind, folder)) {
            Journal journal = database.journal();
            database.execute("INSERT INTO events (org_id, event_type) VALUES ('acme', 'a'), ('acme', 'b')");
            database.execute("INSERT INTO calls (site_id, body) VALUES ('site', '{}'), ('site', '{}')");

            Page<LedgerEvent> events = get(journal.ledger().page("acme", null, 10));
            Page<StoredCall> calls = get(journal.calls().page("site", null, 10));

            assertThat(events.items()).hasSize(2);
            assertThat(calls.items()).hasSize(2);
            Set<UUID> ids = new HashSet<>();
            events.items().forEach(event -> ids.add(event.id()));
            calls.items().forEach(call -> ids.add(call.id()));
            assertThat(ids).hasSize(4);
            for (LedgerEvent event : events.items()) {
                assertThat(get(journal.ledger().find("acme", event.id()))).isPresent();
            }
        }
    }
}
