// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

import dev.semel.Semel;
import dev.semel.SemelBuilder;
import dev.semel.admin.Keys;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.dynamodb.DynamoClaimStore;
import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.jdbc.TransactionalClaims;
import dev.semel.journal.Journal;
import dev.semel.key.ClaimMode;
import dev.semel.key.KeyDigests;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.redis.RedisReplayCache;
import dev.semel.replay.ProcessReplayCache;
import dev.semel.replay.TieredReplayCache;
import dev.semel.spi.CacheEpoch;
import dev.semel.spi.ClaimBrowser;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.HistoryStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** One engine of this process, with everything that is built on it. */
final class Instance implements AutoCloseable {
    private static final String[] SECRETS = {
        "torture-secret-A-0123456789abcdef0123456789", "torture-secret-B-0123456789abcdef0123456789"
    };
    private static final long CACHE = 8 << 20;

    final int number;
    final Semel semel;
    final RecordingStore store;

    /** Null if the store cannot show its claims. */
    final @Nullable Keys keys;

    final Secrets secrets;

    /** Null in memory. */
    final @Nullable TransactionalClaims transactions;

    /** Null in memory. */
    final @Nullable Journal journal;

    private final KeyDigests digests;
    private final KeyDigests everyDigest = new KeyDigests(Secrets.of(SECRETS[0], SECRETS[1]));
    private final Map<ClaimRef, String> items = new ConcurrentHashMap<>();
    private final @Nullable RedisReplayCache redis;
    private final @Nullable FlakyStore flaky;
    private final @Nullable DataSource pool;

    private Instance(
            WorkerSettings settings,
            int number,
            ClaimStore claims,
            @Nullable FlakyStore flaky,
            @Nullable DataSource pool,
            Recorder recorder,
            ExecutorService callbacks) {
        this.number = number;
        this.secrets = secrets(settings, number);
        this.digests = new KeyDigests(secrets);
        this.flaky = flaky;
        this.pool = pool;
        this.store = new RecordingStore(
                flaky == null ? claims : flaky, flaky == null ? (CacheEpoch) claims : flaky, recorder, items);
        this.keys = claims instanceof ClaimBrowser && claims instanceof HistoryStore ? Keys.on(claims, secrets) : null;
        this.redis = settings.redis().isEmpty() ? null : RedisReplayCache.connect(settings.redis(), secrets);
        SemelBuilder builder = Semel.on(store)
                .secrets(secrets)
                .storeTimeout(Bounds.STORE)
                .maxClaims(hasRoomForBursts() ? 10_000 : 200)
                .callbackExecutor(callbacks)
                .sweepEvery(Duration.ofMillis(700 + 300L * number))
                .sweepBatch(50);
        builder = redis == null
                ? builder.replayCache(new ProcessReplayCache(CACHE))
                : builder.replayCache(new TieredReplayCache(new ProcessReplayCache(CACHE), redis));
        this.semel = (number % 2 == 0 ? builder : builder.withoutCallerRuns()).build();
        this.transactions =
                claims instanceof JdbcClaimStore && pool != null ? TransactionalClaims.on(pool, secrets) : null;
        this.journal = pool == null
                ? null
                : Journal.on(pool)
                        .statementTimeout(Bounds.STATEMENT)
                        .inbox(secrets)
                        .threads(4)
                        .build();
    }

    static Instance on(
            WorkerSettings settings, int number, DataSource pool, Recorder recorder, ExecutorService callbacks) {
        JdbcClaimStore claims = JdbcClaimStore.on(pool).withStatementTimeout(Bounds.STATEMENT);
        return new Instance(settings, number, claims, null, pool, recorder, callbacks);
    }

    /** Half of the workers leave all repetitions to the engine. */
    static Instance onDynamo(WorkerSettings settings, int number, Recorder recorder, ExecutorService callbacks) {
        DynamoDbAsyncClient client = DynamoClients.of(settings.url(), settings.number() % 2 == 0 ? 1 : 3);
        try {
            DynamoClaimStore claims =
                    DynamoClaimStore.on(client, DynamoClients.TABLE).withRequestTimeout(Bounds.REQUEST);
            return new Instance(settings, number, claims, null, null, recorder, callbacks);
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    static Instance inMemory(
            WorkerSettings settings,
            int number,
            MemoryClaimStore shared,
            Recorder recorder,
            ExecutorService callbacks) {
        FlakyStore flaky = settings.flaky() ? new FlakyStore(shared, shared) : null;
        return new Instance(settings, number, shared, flaky, null, recorder, callbacks);
    }

    /**
     * The secrets of one instance. In stage 0 some instances know the new secret already, and in stage 1 some use it. Both are
     * steps of a rotation that all instances have not finished yet.
     */
    private static Secrets secrets(WorkerSettings settings, int number) {
        boolean further = Math.floorMod(settings.seed() + settings.number() + number, 2) == 1;
        return switch (settings.stage()) {
            case 0 -> Secrets.of(SECRETS[0]);
            case 1 -> further ? Secrets.of(SECRETS[0], SECRETS[1]) : Secrets.of(SECRETS[0]);
            default -> further ? Secrets.of(SECRETS[1], SECRETS[0]) : Secrets.of(SECRETS[0], SECRETS[1]);
        };
    }

    /** Whether the engine accepts more claims than its lanes send at once. The other one refuses them. */
    boolean hasRoomForBursts() {
        return number % 2 == 1;
    }

    /** Must be called before an item is asked for by this key, so that its commands are recorded under its name. */
    void register(ClaimKey key, Item item) {
        everyDigest.allOf(ClaimMode.LEASED, key).forEach(ref -> items.putIfAbsent(ref.ref(), item.name()));
    }

    /** The name of the item whose claim this is; null if this instance has not asked for it. */
    @Nullable
    String itemOf(ClaimRef ref) {
        return items.get(ref);
    }

    KeyDigests digests() {
        return digests;
    }

    /** Ends the faults that happen inside this process. */
    void heal() {
        if (flaky != null) {
            flaky.heal();
        }
        if (pool instanceof DirtyPool dirty) {
            dirty.heal();
        }
    }

    @Override
    public void close() {
        semel.close();
        if (journal != null) {
            journal.close();
        }
        if (redis != null) {
            redis.close();
        }
    }
}
