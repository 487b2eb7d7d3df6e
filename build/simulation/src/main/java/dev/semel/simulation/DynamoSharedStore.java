// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Status;
import dev.semel.dynamodb.SimulatedDynamo;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.HistoryEntry;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The real store of Semel for DynamoDB, with a client of its own in each process, over one simulated DynamoDB. */
final class DynamoSharedStore implements SharedStore {
    private static final List<String> TIMES =
            List.of("created_at", "lease_until", "run_until", "completed_at", "expires_at", "due_at");
    private static final Duration LONG_AGO = Duration.ofDays(3_650);

    /** The SDK's timers and answers: three for each request in flight. */
    private static final long MOST_EVENTS = 3 * 64;

    private final Scheduler scheduler;
    private final Network network;
    private final Dice dice;
    private final SimulationSettings settings;
    private final DynamoSettings dynamo;
    private final UnbegunGrants unbegun = new UnbegunGrants();
    private final SimulatedTable server;
    private final SimulatedDynamo operated;
    private final DynamoClient operator;
    private final Map<SimulatedProcess, DynamoProcessStore> stores = new HashMap<>();

    DynamoSharedStore(Scheduler scheduler, History history, Network network, Dice dice, SimulationSettings settings) {
        this.scheduler = scheduler;
        this.network = network;
        this.dice = dice;
        this.settings = settings;
        this.dynamo = DynamoSettings.of(dice, settings.cached());
        history.alsoTell(unbegun::see);
        server = new SimulatedTable(
                scheduler, network, dice.split(), dynamo, new DynamoEvents(history), settings.largestResult());
        operator = new DynamoClient(server, new AtOnce());
        operated = new SimulatedDynamo(
                operator, scheduler::now, longest -> CompletableFuture.completedFuture(null), Duration.ofSeconds(2));
    }

    /** An operator's requests take no time. */
    private final class AtOnce implements DynamoClient.Sender {
        @Override
        public <A> CompletableFuture<A> send(
                AwsRequestOverrideConfiguration limits, Function<DynamoOrigin, A> request) {
            try {
                return CompletableFuture.completedFuture(request.apply(new DynamoOrigin(null, scheduler.now(), 1, 0)));
            } catch (RuntimeException e) {
                return CompletableFuture.failedFuture(e);
            }
        }
    }

    @Override
    public String toString() {
        return dynamo.toString();
    }

    @Override
    public ClaimStore connected(SimulatedProcess process) {
        Dice own = dice.split();
        DynamoSdk sdk = new DynamoSdk(
                scheduler, process, network, own.split(), dynamo, server, () -> !unbegun.has(process.name()));
        DynamoProcessStore store = new DynamoProcessStore(new SimulatedDynamo(
                new DynamoClient(server, sdk),
                () -> process.environment().clock(),
                longest -> pause(process, own, longest),
                settings.storeTimeout().dividedBy(2)));
        stores.put(process, store);
        return store;
    }

    private CompletableFuture<Void> pause(SimulatedProcess process, Dice own, int longestMillis) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        scheduler.after(own.between(0L, longestMillis + 1L) * 1_000_000, process, () -> over.complete(null));
        return over;
    }

    @Override
    public <R> void call(SimulatedProcess process, Supplier<R> work, Consumer<R> answered, Consumer<Throwable> failed) {
        Objects.requireNonNull(stores.get(process)).call(work, answered, failed);
    }

    @Override
    public long mostEvents() {
        return MOST_EVENTS;
    }

    @Override
    public @Nullable Snapshot read(ClaimRef asked) {
        return operated.store().read(List.of(asked)).get(asked);
    }

    @Override
    public @Nullable Snapshot seen(ClaimRef asked) {
        Snapshot seen = read(asked);
        return seen == null || seen.absent() || seen.aliasOf() != null ? null : seen;
    }

    @Override
    public boolean decide(Command.Settle decision, HistoryEntry.Kind kind) {
        Snapshot seen = read(decision.ref());
        boolean free = seen != null && (seen.status() != Status.IN_PROGRESS || seen.lapsed());
        return free && operated.store().apply(List.of(decision)).get(0) instanceof Verdict.Applied;
    }

    @Override
    public boolean hasEnded(ClaimRef ref, Duration ago) {
        AttributeValue ended = item(ref).get("completed_at");
        long latest = ChronoUnit.MICROS.between(Instant.EPOCH, scheduler.instant()) - ago.toNanos() / 1_000;
        return ended != null && Long.parseLong(ended.n()) < latest;
    }

    private Map<String, AttributeValue> item(ClaimRef ref) {
        Map<String, AttributeValue> key = Map.of(
                "key_hash",
                AttributeValue.builder()
                        .b(SdkBytes.fromByteArray(ref.digest().bytes()))
                        .build());
        return operator.getItem(get -> get.key(key).consistentRead(true).overrideConfiguration(limits -> {}))
                .join()
                .item();
    }

    @Override
    public void forget(ClaimRef ref) {
        Map<String, AttributeValue> aged = new HashMap<>(item(ref));
        for (String time : TIMES) {
            aged.computeIfPresent(
                    time,
                    (any, at) -> AttributeValue.builder()
                            .n(Long.toString(Long.parseLong(at.n()) - LONG_AGO.toNanos() / 1_000))
                            .build());
        }
        operator.putItem(put -> put.item(aged).overrideConfiguration(limits -> {}))
                .join();
    }

    @Override
    public void advance() {
        operated.store().advance();
    }
}
