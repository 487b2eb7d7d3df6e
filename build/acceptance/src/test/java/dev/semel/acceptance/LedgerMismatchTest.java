// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

/** {@code ledger.on_mismatch: reject}. */
@BlackBox
class LedgerMismatchTest {
    @Test
    void refusesAnotherEventUnderAUsedKey() {
        try (RunningServer server = Environment.SQLITE.fresh(Configuration.with("ledger: {on_mismatch: reject}\n"))) {
            Caller caller = server.caller();
            String key = Marks.text("key");
            JsonObject event = Ledger.event(caller.tenant());
            Answer first = Ledger.ingest(caller, key, event);

            Answer other = Ledger.ingest(caller, key, event.copy().put("event_type", "other"));
            Answer repeat = Ledger.ingest(caller, key, event);

            Problem.isProblem(other, 409);
            Idempotent.isConflict(other);
            assertThat(repeat.status()).isEqualTo(200);
            assertThat(repeat.json()).isEqualTo(first.json());
            assertThat(Ledger.all(caller, 10)).hasSize(1);
        }
    }
}
