// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testservers.MariaDbServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

/** What docs/operate.md says about backups of MariaDB: a dump that was made while the server ran, loaded into another database. */
@BlackBox
class RestoredDumpTest {
    private static final String BEFORE = "before-the-dump";
    private static final String SECRET = "IDEMPOTENCY_SECRET";
    private static final String AFTER = "after-the-dump";

    @Test
    void aRestoredDatabaseKnowsWhatWasDone() {
        Database first = Database.on(MariaDbServer.shared());
        Database restored = Database.on(MariaDbServer.shared());
        Configuration configuration = Configuration.with("");
        Launch launch = Environment.launch(configuration, first, null);
        JsonObject done = Claims.fresh();
        JsonObject later = Claims.fresh();
        Caller caller;
        String event;
        try (RunningServer server = RunningServer.start(launch, configuration, first)) {
            caller = server.caller();
            event = Ledger.ingest(caller, BEFORE).get("id");
            Claims.succeed(caller, Claims.granted(caller, done), "charged");
            MariaDbServer.shared().restoreDump(name(first), name(restored));
            Ledger.ingest(caller, AFTER);
            Claims.succeed(caller, Claims.granted(caller, later), "charged");
        }

        Launch again = Environment.launch(configuration, restored, null)
                .withVariable(SECRET, launch.environment().get(SECRET));
        try (RunningServer server = RunningServer.start(again, configuration, restored)) {
            Caller there = server.here(caller);
            assertThat(Ledger.ingest(there, BEFORE).get("id")).isEqualTo(event);
            assertThat(Claims.claim(there, done).get("result")).isEqualTo("charged");
            assertThat(Claims.claim(there, later).status())
                    .as("a claim made after the backup is unknown")
                    .isEqualTo(201);
            assertThat(errors(server)).isEmpty();
        }
    }

    private static String name(Database database) {
        return database.url().replaceFirst("\\?.*", "").replaceFirst(".*/", "");
    }

    private static JsonArray errors(RunningServer server) {
        JsonArray errors = new JsonArray();
        server.nobody().get("/v1/doctor").array("findings").stream()
                .map(JsonObject.class::cast)
                .filter(finding -> finding.getString("level").equals("error"))
                .forEach(errors::add);
        return errors;
    }
}
