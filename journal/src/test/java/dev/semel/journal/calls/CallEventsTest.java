// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.calls;

import static dev.semel.journal.Entries.call;
import static dev.semel.journal.Entries.get;
import static dev.semel.journal.Entries.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.journal.MigratedDatabase;
import dev.semel.journal.calls.CallOutcome.Reason;
import dev.semel.journal.page.Page;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@EachDatabase
class CallEventsTest {
    @Parameter
    DatabaseKind kind;

    @TempDir
    Path folder;

    private MigratedDatabase database;
    private CallEvents calls;

    @BeforeEach
    void open() {
        database = MigratedDatabase.of(kind, folder);
        calls = database.journal().calls();
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    private UUID inserted(CallEvent call) {
        return ((CallOutcome.Inserted) get(calls.record(call))).callId();
    }

    @Test
    void theIndexFindsADuplicate_alsoOfAnotherInstance() throws Exception {
        UUID id = inserted(call("site-1", "signature"));

        assertThat(get(calls.record(call("site-1", "signature"))))
                .isEqualTo(new CallOutcome.Noop(id, Reason.IDEMPOTENT_CONFLICT));
        assertThat(get(database.journal().calls().record(call("site-1", "SIGNATURE"))))
                .isEqualTo(new CallOutcome.Noop(id, Reason.IDEMPOTENT_CONFLICT));
        assertThat(database.count("calls")).isEqualTo(1);
        assertThat(get(calls.duplicate("site-1", CallSignature.hashOf("signature"))))
                .contains(new CallOutcome.Noop(id, Reason.IDEMPOTENT_CONFLICT));
        assertThat(get(calls.duplicate("site-2", CallSignature.hashOf("signature"))))
                .isEmpty();
    }

    @Test
    void sitesAreComparedByBytes() throws Exception {
        Set<UUID> ids = new HashSet<>();
        for (String site : List.of("a", "A", "a ", "ä")) {
            ids.add(inserted(call(site, "signature")));
        }
        assertThat(ids).hasSize(4);
        assertThat(get(calls.page("a", null, 10)).items()).hasSize(1);
        assertThat(get(calls.back("a", null, 10)).items()).isEqualTo(1);
    }

    @Test
    void withoutASignatureEveryCallIsStored() throws Exception {
        List<CompletableFuture<CallOutcome>> all = IntStream.range(0, 100)
                .mapToObj(i -> calls.record(call("site-1", null)).toCompletableFuture())
                .toList();

        Set<UUID> ids = new HashSet<>();
        all.forEach(one -> ids.add(((CallOutcome.Inserted) get(one)).callId()));

        assertThat(ids).hasSize(100);
        assertThat(database.single("SELECT count(*) FROM calls WHERE signature_hash IS NULL"))
                .isEqualTo("100");
    }

    @Test
    void theFirstStepOfTheRollbackStoresNoHash() throws Exception {
        UUID id = inserted(call("site-1", "signature"));
        CallEvents rolledBack =
                database.journal(builder -> builder.writeSignatureHash(false)).calls();

        assertThat(get(rolledBack.record(call("site-1", "signature")))).isInstanceOf(CallOutcome.Inserted.class);
        assertThat(get(rolledBack.record(call("site-1", "signature")))).isInstanceOf(CallOutcome.Inserted.class);
        assertThat(database.single("SELECT count(*) FROM calls WHERE signature_hash IS NULL"))
                .isEqualTo("2");
        assertThat(get(calls.record(call("site-1", "signature"))))
                .isEqualTo(new CallOutcome.Noop(id, Reason.IDEMPOTENT_CONFLICT));
    }

    @Test
    void aCallIsReturnedUnchanged() {
        CallEvent call = call("site-1", "signature");
        UUID id = inserted(call);

        StoredCall stored = get(calls.find("site-1", id)).orElseThrow();
        assertThat(text(stored.body())).isEqualTo(text(call.body()));
        assertThat(stored.signatureHash()).isEqualTo(call.signatureHash());
        assertThat(get(calls.find(null, id))).contains(stored);
        assertThat(get(calls.find("site-2", id))).isEmpty();
    }

    @Test
    void pagesAreInOrderOfWriting() {
        List<UUID> ids = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ids.add(inserted(call("site-1", i % 2 == 0 ? null : "signature " + i)));
        }
        Page<StoredCall> first = get(calls.page("site-1", null, 3));
        Page<StoredCall> second = get(calls.page("site-1", first.cursor(), 3));

        assertThat(first.more()).isTrue();
        assertThat(second.more()).isFalse();
        List<UUID> read = new ArrayList<>();
        first.items().forEach(call -> read.add(call.id()));
        second.items().forEach(call -> read.add(call.id()));
        assertThat(read).containsExactlyElementsOf(ids);
    }

    @Test
    void concurrentCallsAreStoredOncePerSignature() throws Exception {
        CallEvents other = database.journal().calls();
        List<CompletableFuture<CallOutcome>> all = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            CallEvent call = call("site-1", i % 6 == 5 ? null : "signature " + i % 50);
            all.add((i % 2 == 0 ? calls : other).record(call).toCompletableFuture());
        }
        long inserted = all.stream()
                .filter(one -> get(one) instanceof CallOutcome.Inserted)
                .count();

        long signatures = IntStream.range(0, 600)
                .filter(i -> i % 6 != 5)
                .map(i -> i % 50)
                .distinct()
                .count();
        assertThat(all).allMatch(one -> !(get(one) instanceof CallOutcome.Failed));
        assertThat(inserted).isEqualTo(signatures + 100);
        assertThat(database.count("calls")).isEqualTo(signatures + 100);
    }
}
