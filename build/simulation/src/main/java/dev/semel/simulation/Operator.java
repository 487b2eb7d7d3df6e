// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.simulation.history.HistoryEvent.Decided;
import dev.semel.simulation.history.HistoryEvent.Forgotten;
import dev.semel.spi.ClaimEntry;
import dev.semel.spi.Command;
import dev.semel.spi.HistoryEntry;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** A person who decides about parked and abandoned claims, and who makes the store forget results. */
final class Operator {
    private static final String NAME = "operator";

    /** Longer than a command can be on its way. */
    private static final Duration SETTLED_FOR = Duration.ofSeconds(10);

    /** How long caches may replay what was changed: the time that an epoch is trusted. */
    private static final long TRUSTED_NANOS = 5_000_000_000L;

    private final InstantSource clock;
    private final MemoryClaimStore store;
    private final History history;
    private final Dice dice;
    private final Effects effects;
    private long decisions;

    Operator(InstantSource clock, MemoryClaimStore store, History history, Dice dice, Effects effects) {
        this.clock = clock;
        this.store = store;
        this.history = history;
        this.dice = dice;
        this.effects = effects;
    }

    /** Decides about a claim that nobody works on. */
    void decide(Subject subject, ClaimRef asked) {
        Snapshot seen = store.read(List.of(asked)).get(asked);
        Optional<ClaimEntry> entry = store.find(asked);
        if (seen == null || entry.isEmpty() || !seen.ref().equals(entry.get().ref())) {
            return;
        }
        Status status = dice.oneOf(List.of(Status.RETRYABLE, Status.FAILED, Status.SUCCEEDED));
        byte[] bytes = ("decision " + ++decisions).getBytes(StandardCharsets.UTF_8);
        StoredResult result = switch (status) {
            case SUCCEEDED -> new StoredResult("application/octet-stream", bytes);
            case FAILED -> new StoredResult("text/plain", bytes);
            default -> null;
        };
        HistoryEntry.Kind kind = switch (status) {
            case SUCCEEDED -> HistoryEntry.Kind.DECIDED_SUCCEEDED;
            case FAILED -> HistoryEntry.Kind.DECIDED_FAILED;
            default -> HistoryEntry.Kind.RELEASED;
        };
        Verdict verdict = store.decide(
                new Command.Settle(seen.ref(), seen.token(), status, result, "decided " + decisions),
                HistoryEntry.decision(kind, entry.get(), NAME, "decided " + decisions));
        if (verdict instanceof Verdict.Applied) {
            String value = switch (status) {
                case SUCCEEDED -> effects.describe(subject, bytes);
                case FAILED -> "decision " + decisions;
                default -> "released " + decisions;
            };
            history.add(new Decided(
                    history.now(),
                    NAME,
                    SimulatedStore.nameOf(seen.ref()),
                    SimulatedStore.ending(status),
                    value,
                    SimulatedStore.keptFor(subject.operation().terms().ttl())));
            store.advance();
        }
    }

    /** Makes the store forget a claim that was settled a while ago, as if its result had expired. */
    void forget(Subject subject, ClaimRef asked) {
        Snapshot seen = store.read(List.of(asked)).get(asked);
        if (seen == null
                || seen.ttlLeft() == null
                || seen.absent()
                || (seen.status() != Status.SUCCEEDED && seen.status() != Status.FAILED)
                || store.find(seen.ref())
                        .map(ClaimEntry::completedAt)
                        .filter(ended -> ended.isBefore(clock.instant().minus(SETTLED_FOR)))
                        .isEmpty()) {
            return;
        }
        store.age(seen.ref(), Duration.ofDays(3_650));
        store.advance();
        history.add(
                new Forgotten(history.now(), NAME, SimulatedStore.nameOf(seen.ref()), history.now() + TRUSTED_NANOS));
        subject.unlink();
    }
}
