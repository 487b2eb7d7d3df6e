// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import static dev.semel.testkit.Commands.insert;
import static dev.semel.testkit.Commands.settle;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.claim.Terms;
import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.key.ClaimMode;
import dev.semel.key.KeyDigests;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.payload.json.Json;
import dev.semel.spi.ClaimEntry;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.HistoryEntry;
import dev.semel.testkit.FaultyStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@ValueSource(strings = {"memory", "sqlite"})
class KeysTest {
    private static final Secret OLD = Secret.of("the old secret of this test, for tests only");
    private static final Secret NEW = Secret.of("the new secret of this test, for tests only");
    private static final Operation<String> PAY = Operation.of("pay", Codec.text());

    @Parameter
    String kind;

    @TempDir
    Path folder;

    private ClaimStore store;
    private Keys keys;

    @BeforeEach
    void open() {
        store = kind.equals("memory") ? new MemoryClaimStore() : JdbcClaimStore.sqlite(folder.resolve("claims.db"));
        keys = Keys.on(store, Secrets.of(NEW, OLD));
    }

    private ClaimRef claimed(Secret secret, ClaimMode mode, String scope, String key) {
        ClaimRef ref = new KeyDigests(secret).refOf(mode, new ClaimKey("acme", scope, key));
        store.apply(List.of(insert(ref, scope, Terms.DEFAULT)));
        return ref;
    }

    private ClaimRef parked() {
        ClaimRef ref = claimed(NEW, ClaimMode.LEASED, "pay", "order-1");
        store.apply(List.of(settle(store.read(List.of(ref)).get(ref), Status.UNKNOWN)));
        return ref;
    }

    private ClaimEntry seen(ClaimRef ref) {
        return keys.find(ref).orElseThrow().claim();
    }

    @Test
    void aKeyIsFoundInBothModesAndByEverySecret() {
        ClaimRef leased = claimed(OLD, ClaimMode.LEASED, "pay", "order-1");
        ClaimRef transactional = claimed(NEW, ClaimMode.TRANSACTIONAL, "ship", "order-1");
        claimed(NEW, ClaimMode.LEASED, "ship", "order-2");

        assertThat(keys.lookup("acme", null, "order-1").found())
                .extracting(ClaimEntry::ref)
                .containsExactlyInAnyOrder(leased, transactional);
        assertThat(keys.lookup("acme", "pay", "order-1").found())
                .extracting(ClaimEntry::ref)
                .containsExactly(leased);
        assertThat(keys.lookup("acme", null, "order-3")).isEqualTo(new KeyLookup(List.of(), 2, true));
        assertThat(keys.lookup("other", null, "order-1").found()).isEmpty();
    }

    @Test
    void aLookUpSaysThatItStoppedShort() {
        for (int i = 0; i <= Keys.MAX_SCOPES; i++) {
            claimed(NEW, ClaimMode.LEASED, "scope-" + i, "order-1");
        }
        KeyLookup found = keys.lookup("acme", null, "order-1");

        assertThat(found.complete()).isFalse();
        assertThat(found.scopes()).isEqualTo(Keys.MAX_SCOPES);
        assertThat(found.found()).hasSize(Keys.MAX_SCOPES);
    }

    @Test
    void aDecisionWithoutAResultIsReplayedAsOne() {
        ClaimRef ref = parked();
        DecisionOutcome outcome =
                keys.decide(ref, OperatorDecision.succeed(seen(ref).fence(), "ann", "seen at the bank", null));

        assertThat(outcome).isInstanceOf(DecisionOutcome.Decided.class);
        try (Semel semel = Semel.on(store).secrets(Secrets.of(NEW)).build()) {
            Outcome<String> again = semel.execute(PAY, PAY.key("acme", "order-1"), run -> {
                throw new AssertionError("It runs again");
            });
            assertThat(again).isInstanceOf(Outcome.Tombstone.class);
        }
    }

    @Test
    void aReleasedClaimRunsAgainWithTheSameChildKeys() {
        ClaimRef ref = parked();
        keys.decide(ref, OperatorDecision.release(seen(ref).fence(), "ann", "the bank has nothing"));

        try (Semel semel = Semel.on(store).secrets(Secrets.of(NEW)).build()) {
            assertThat(semel.execute(PAY, PAY.key("acme", "order-1"), run -> "receipt 7")
                            .orElseThrow())
                    .isEqualTo("receipt 7");
        }
        assertThat(keys.find(ref).orElseThrow().history())
                .extracting(HistoryEntry::kind)
                .containsExactly(HistoryEntry.Kind.RELEASED);
    }

    @Test
    void aDecisionNeedsTheFenceAndAClaimOnWhichNobodyWorks() {
        ClaimRef ref = parked();
        ClaimRef running = claimed(NEW, ClaimMode.LEASED, "pay", "order-2");
        long fence = seen(ref).fence();

        assertThat(keys.decide(ref, OperatorDecision.fail(fence + 1, "ann", "gone")))
                .isInstanceOf(DecisionOutcome.MovedOn.class);
        assertThat(keys.decide(running, OperatorDecision.fail(seen(running).fence(), "ann", "gone")))
                .isInstanceOf(DecisionOutcome.InProgress.class);
        assertThat(keys.decide(new ClaimRef("other", ref.digest()), OperatorDecision.fail(fence, "eve", "mine")))
                .isEqualTo(new DecisionOutcome.Absent());
        keys.decide(ref, OperatorDecision.fail(fence, "ann", "gone"));
        assertThat(keys.decide(ref, OperatorDecision.release(fence, "bob", "no")))
                .isInstanceOf(DecisionOutcome.MovedOn.class);
        assertThat(keys.decisions("acme", null, 10)).hasSize(1);
    }

    @Test
    void resultsAreShownRedacted() {
        for (String text : List.of("{\"card\":\"4111\",\"token\":\"geheim\",\"n\":1}", "", "{broken")) {
            ClaimRef ref = claimed(NEW, ClaimMode.LEASED, "pay", "order-" + text);
            StoredResult result = new StoredResult("application/json", text.getBytes(StandardCharsets.UTF_8));
            store.apply(List.of(new Command.Settle(
                    ref, store.read(List.of(ref)).get(ref).token(), Status.SUCCEEDED, result, null)));

            ShownResult shown = keys.find(ref).orElseThrow().result().orElseThrow();

            assertThat(shown.size()).isEqualTo(text.length());
            assertThat(shown.content().isPresent()).isEqualTo(text.startsWith("{\""));
            assertThat(shown.content()
                            .map(json -> new String(json.utf8(), StandardCharsets.UTF_8))
                            .orElse(""))
                    .doesNotContain("geheim");
        }
    }

    @Test
    void aLargeOrUnknownResultIsNotShown() {
        ClaimRef large = claimed(NEW, ClaimMode.LEASED, "pay", "large");
        ClaimRef other = claimed(NEW, ClaimMode.LEASED, "pay", "other");
        settled(
                large,
                new StoredResult(
                        "application/json", ("[" + "1,".repeat(65_536) + "1]").getBytes(StandardCharsets.UTF_8)));
        settled(other, new StoredResult("java/serialized", new byte[] {1, 2, 3}));

        for (ClaimRef ref : List.of(large, other)) {
            ShownResult shown = keys.find(ref).orElseThrow().result().orElseThrow();
            assertThat(shown.content()).isEqualTo(Optional.empty());
            assertThat(shown.note()).contains("not shown");
        }
    }

    private void settled(ClaimRef ref, StoredResult result) {
        store.apply(List.of(
                new Command.Settle(ref, store.read(List.of(ref)).get(ref).token(), Status.SUCCEEDED, result, null)));
    }

    @Test
    void aStoreWithoutAHistoryIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Keys.on(new FaultyStore(store), Secrets.of(NEW)))
                .withMessageContaining("HistoryStore");
    }

    @Test
    void theRecorderWritesTakeOversAndCountsReplays() {
        try (MemoryBackedHistory recorded = new MemoryBackedHistory()) {
            recorded.run();
        }
    }

    /** An engine with a recorder, on a store whose claims can be aged. */
    private static final class MemoryBackedHistory implements AutoCloseable {
        private final MemoryClaimStore store = new MemoryClaimStore();
        private final HistoryRecorder recorder = new HistoryRecorder(store, Duration.ofHours(1), System::nanoTime);
        private final Semel semel =
                Semel.on(store).secrets(Secrets.of(NEW)).listener(recorder).build();

        void run() {
            ClaimRef ref = semel.refOf(PAY.key("acme", "order-1"));
            store.apply(List.of(insert(ref, "pay", Terms.DEFAULT)));
            store.age(ref, Duration.ofHours(2));
            for (int i = 0; i < 4; i++) {
                assertThat(semel.execute(PAY, PAY.key("acme", "order-1"), run -> "receipt 7")
                                .orElseThrow())
                        .isEqualTo("receipt 7");
            }
            assertThat(store.history(ref, 10)).as("written with a delay").isEmpty();
            recorder.flush();
            recorder.flush();

            assertThat(store.history(ref, 10))
                    .extracting(HistoryEntry::kind)
                    .containsExactly(HistoryEntry.Kind.TAKEN_OVER);
            assertThat(store.replays(ref)).isEqualTo(3);
        }

        @Override
        public void close() {
            semel.close();
            recorder.close();
        }
    }

    /** A host may know users by names that the audit trail cannot store. */
    @Test
    void anActorThatCannotBeRecordedDecidesNothing() {
        ClaimRef ref = parked();
        KeysApi api = new KeysApi(keys, (record, json) -> new StoredResult("application/json", json.utf8()));
        AdminRoute release = api.routes().stream()
                .filter(route -> route.path().endsWith("/release"))
                .findFirst()
                .orElseThrow();
        Json body = Json.parse("{\"fence\":%d,\"reason\":\"seen\"}"
                .formatted(seen(ref).fence())
                .getBytes(StandardCharsets.UTF_8));

        for (String actor : List.of("", "a\nb", "a".repeat(256))) {
            assertThatThrownBy(() -> release.handler()
                            .answer(new AdminRequest(
                                    "acme",
                                    actor,
                                    true,
                                    Map.of("id", ref.digest().hex()),
                                    Map.of(),
                                    body)))
                    .isInstanceOf(AdminException.class)
                    .hasMessageContaining("actor");
        }
        assertThat(seen(ref).status()).isEqualTo(Status.UNKNOWN);
    }

    /** The result is encrypted for the record, so a result for the alias could never be decrypted. */
    @Test
    void theResultGivenForAnAliasIsStoredForItsRecord() {
        ClaimRef alias = new KeyDigests(NEW).refOf(ClaimMode.LEASED, new ClaimKey("acme", "pay", "alias-1"));
        ClaimRef ref = new KeyDigests(NEW).refOf(ClaimMode.LEASED, new ClaimKey("acme", "pay", "order-1"));
        store.apply(List.of(insert(ref, List.of(alias))));
        store.apply(List.of(settle(store.read(List.of(ref)).get(ref), Status.UNKNOWN)));
        List<ClaimRef> storedFor = new ArrayList<>();
        KeysApi api = new KeysApi(keys, (record, json) -> {
            storedFor.add(record);
            return new StoredResult("application/json", json.utf8());
        });
        AdminRoute succeed = api.routes().stream()
                .filter(route -> route.path().endsWith("/succeed"))
                .findFirst()
                .orElseThrow();

        succeed.handler()
                .answer(new AdminRequest(
                        "acme",
                        "ann",
                        true,
                        Map.of("id", alias.digest().hex()),
                        Map.of(),
                        Json.parse("{\"fence\":%d,\"reason\":\"seen\",\"result\":1}"
                                .formatted(seen(alias).fence())
                                .getBytes(StandardCharsets.UTF_8))));

        assertThat(storedFor).containsExactly(ref);
        assertThat(seen(ref).status()).isEqualTo(Status.SUCCEEDED);
    }
}
