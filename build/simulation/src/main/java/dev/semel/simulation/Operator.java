// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.simulation.history.HistoryEvent.Decided;
import dev.semel.simulation.history.HistoryEvent.Forgotten;
import dev.semel.spi.Command;
import dev.semel.spi.HistoryEntry;
import dev.semel.spi.Snapshot;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** A person who decides about parked and abandoned claims, and who makes the store forget results. */
final class Operator {
    static final String NAME = "operator";

    /** Longer than a command can be on its way. */
    private static final Duration SETTLED_FOR = Duration.ofSeconds(10);

    /** How long caches may replay what was changed: the time that an epoch is trusted. */
    private static final long TRUSTED_NANOS = 5_000_000_000L;

    private final SharedStore store;
    private final History history;
    private final Dice dice;
    private final Effects effects;
    private long decisions;

    Operator(SharedStore store, History history, Dice dice, Effects effects) {
        this.store = store;
        this.history = history;
        this.dice = dice;
        this.effects = effects;
    }

    /** Decides about a claim that nobody works on. */
    void decide(Subject subject, ClaimRef asked) {
        Snapshot seen = store.seen(asked);
        if (seen == null) {
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
        if (store.decide(new Command.Settle(seen.ref(), seen.token(), status, result, "decided " + decisions), kind)) {
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
        Snapshot seen = store.read(asked);
        if (seen == null
                || seen.ttlLeft() == null
                || seen.absent()
                || (seen.status() != Status.SUCCEEDED && seen.status() != Status.FAILED)
                || !store.hasEnded(seen.ref(), SETTLED_FOR)) {
            return;
        }
        store.forget(seen.ref());
        store.advance();
        history.add(
                new Forgotten(history.now(), NAME, SimulatedStore.nameOf(seen.ref()), history.now() + TRUSTED_NANOS));
        subject.unlink();
    }
}
