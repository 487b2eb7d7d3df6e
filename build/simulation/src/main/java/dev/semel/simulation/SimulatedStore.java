// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.claim.SweepReport;
import dev.semel.claim.Terms;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.simulation.history.HistoryEvent.Ending;
import dev.semel.simulation.history.HistoryEvent.GivenBack;
import dev.semel.simulation.history.HistoryEvent.Granted;
import dev.semel.simulation.history.HistoryEvent.Renewed;
import dev.semel.simulation.history.HistoryEvent.Settled;
import dev.semel.spi.CacheEpoch;
import dev.semel.spi.ClaimEntry;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.HistoryEntry;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one store of all processes, as one of them sees it. Writes the effects of commands into the history. Now and then a single
 * command of a batch fails, with or without its effect, and results beyond a size are rejected.
 */
final class SimulatedStore implements ClaimStore, CacheEpoch {
    /** A time that no simulation reaches. */
    static final long NEVER = Long.MAX_VALUE / 4;

    private final Shared shared;
    private final String process;

    SimulatedStore(Shared shared, String process) {
        this.shared = shared;
        this.process = process;
    }

    /** What all processes share. */
    static final class Shared implements SharedStore {
        private final InstantSource clock;
        private final MemoryClaimStore memory;
        private final History history;
        private final Network network;
        private final Dice dice;
        private final int largestResult;
        private final boolean insertsApart;
        private final Map<OwnerToken, Terms> terms = new HashMap<>();
        private final Set<String> seen = new HashSet<>();

        /**
         * @param largestResult results with more bytes are rejected
         * @param insertsApart whether inserts and other commands are sent at the same time
         */
        Shared(
                InstantSource clock,
                History history,
                Network network,
                Dice dice,
                int largestResult,
                boolean insertsApart) {
            this.clock = clock;
            this.memory = new MemoryClaimStore(clock);
            this.history = history;
            this.network = network;
            this.dice = dice;
            this.largestResult = largestResult;
            this.insertsApart = insertsApart;
        }

        @Override
        public String toString() {
            return "memory";
        }

        @Override
        public ClaimStore connected(SimulatedProcess process) {
            return new SimulatedStore(this, process.name());
        }

        @Override
        public <R> void call(
                SimulatedProcess process, Supplier<R> work, Consumer<R> answered, Consumer<Throwable> failed) {
            network.send(process, work, answered, failed);
        }

        @Override
        public long mostEvents() {
            return 0;
        }

        @Override
        public @Nullable Snapshot read(ClaimRef asked) {
            return memory.read(List.of(asked)).get(asked);
        }

        @Override
        public @Nullable Snapshot seen(ClaimRef asked) {
            Snapshot seen = read(asked);
            Optional<ClaimEntry> entry = memory.find(asked);
            return seen == null
                            || entry.isEmpty()
                            || !seen.ref().equals(entry.get().ref())
                    ? null
                    : seen;
        }

        @Override
        public boolean decide(Command.Settle decision, HistoryEntry.Kind kind) {
            ClaimEntry entry = memory.find(decision.ref()).orElseThrow();
            String why = Objects.requireNonNull(decision.reason());
            return memory.decide(decision, HistoryEntry.decision(kind, entry, Operator.NAME, why))
                    instanceof Verdict.Applied;
        }

        @Override
        public boolean hasEnded(ClaimRef ref, Duration ago) {
            return memory.find(ref)
                    .map(ClaimEntry::completedAt)
                    .filter(ended -> ended.isBefore(clock.instant().minus(ago)))
                    .isPresent();
        }

        @Override
        public void forget(ClaimRef ref) {
            memory.age(ref, Duration.ofDays(3_650));
        }

        @Override
        public void advance() {
            memory.advance();
        }
    }

    /** How a claim is named in the history. */
    static String nameOf(ClaimRef ref) {
        return ref.digest().hex().substring(0, 12);
    }

    /** How long a final answer is kept, in nanoseconds. */
    static long keptFor(Optional<Duration> ttl) {
        return ttl.isPresent() ? ttl.get().toNanos() : NEVER;
    }

    @Override
    public List<Verdict> apply(List<? extends Command> commands) {
        int failing =
                shared.network.isFaulty() && shared.dice.chance(0.03) ? shared.dice.between(0, commands.size()) : -1;
        boolean withEffect = shared.dice.chance(0.5);
        List<Command> applied = new ArrayList<>(commands.size());
        Map<Command, Verdict> failed = new HashMap<>();
        for (int i = 0; i < commands.size(); i++) {
            Command command = commands.get(i);
            if (isTooLarge(command)) {
                failed.put(command, errored(StoreException.Kind.REJECTED));
            } else if (i == failing && !withEffect) {
                failed.put(command, errored(StoreException.Kind.BUSY));
            } else {
                applied.add(command);
            }
        }
        List<Verdict> made = shared.memory.apply(applied);
        List<Verdict> verdicts = new ArrayList<>(commands.size());
        for (int i = 0, next = 0; i < commands.size(); i++) {
            Command command = commands.get(i);
            Verdict known = failed.get(command);
            if (known == null) {
                Verdict verdict = made.get(next++);
                if (verdict instanceof Verdict.Applied effect) {
                    record(command, effect);
                }
                known = i == failing ? errored(StoreException.Kind.UNREACHABLE) : verdict;
            }
            verdicts.add(known);
        }
        return verdicts;
    }

    private boolean isTooLarge(Command command) {
        return command instanceof Command.Settle settle
                && settle.result() != null
                && settle.result().size() > shared.largestResult;
    }

    private static Verdict errored(StoreException.Kind kind) {
        return new Verdict.Errored(new StoreException(kind, "Simulated: one command alone"));
    }

    private void record(Command command, Verdict.Applied effect) {
        long now = shared.history.now();
        String token = command.token().hex();
        if (command instanceof Command.Insert insert) {
            granted(insert.token(), insert.terms(), insert.fingerprint(), effect);
        } else if (command instanceof Command.TakeOver takeOver) {
            granted(takeOver.token(), takeOver.terms(), takeOver.fingerprint(), effect);
        } else if (command instanceof Command.Renew renew) {
            shared.history.add(
                    new Renewed(now, now, process, token, renew.lease().toNanos()));
        } else if (command instanceof Command.GiveBack back && shared.seen.add("back " + token)) {
            shared.history.add(new GivenBack(now, now, process, back.expected().hex()));
        } else if (command instanceof Command.Settle settle && shared.seen.add(settle.status() + " " + token)) {
            Terms terms = shared.terms.getOrDefault(settle.expected(), Terms.DEFAULT);
            shared.history.add(
                    new Settled(now, now, process, token, ending(settle.status()), keptFor(terms.ttl()), true));
        }
    }

    /** How a fingerprint is named in the history. */
    static String nameOf(Fingerprint fingerprint) {
        return fingerprint.equals(Fingerprint.NONE) ? "" : fingerprint.hex().substring(0, 6);
    }

    private void granted(OwnerToken token, Terms terms, Fingerprint fingerprint, Verdict.Applied effect) {
        shared.terms.put(token, terms);
        long now = shared.history.now();
        shared.history.add(new Granted(
                now,
                now,
                process,
                token.hex(),
                nameOf(effect.ref()),
                effect.record().childKey("history"),
                effect.fence(),
                effect.attempt(),
                terms.lease().toNanos(),
                terms.maxRun().toNanos(),
                terms.onStale() == StalePolicy.PARK,
                terms.onStale() == StalePolicy.RECONCILE,
                nameOf(fingerprint)));
    }

    static Ending ending(Status status) {
        return switch (status) {
            case SUCCEEDED -> Ending.SUCCEEDED;
            case FAILED -> Ending.FAILED;
            case RETRYABLE -> Ending.RETRYABLE;
            case UNKNOWN, IN_PROGRESS -> Ending.UNKNOWN;
        };
    }

    @Override
    public Map<ClaimRef, Snapshot> read(Collection<ClaimRef> refs) {
        return shared.memory.read(refs);
    }

    @Override
    public boolean commitsInsertsApart() {
        return shared.insertsApart;
    }

    @Override
    public SweepReport sweep(int limit) {
        return shared.memory.sweep(limit);
    }

    @Override
    public long current() {
        return shared.memory.current();
    }

    @Override
    public long advance() {
        return shared.memory.advance();
    }
}
