// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation.history;

import dev.semel.simulation.history.HistoryEvent.Decided;
import dev.semel.simulation.history.HistoryEvent.Ending;
import dev.semel.simulation.history.HistoryEvent.GivenBack;
import dev.semel.simulation.history.HistoryEvent.Granted;
import dev.semel.simulation.history.HistoryEvent.Informed;
import dev.semel.simulation.history.HistoryEvent.Ran;
import dev.semel.simulation.history.HistoryEvent.Renewed;
import dev.semel.simulation.history.HistoryEvent.Settled;
import dev.semel.simulation.history.HistoryEvent.Suspended;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All grants so far. It computes by itself how long each one holds, and trusts no answer of the store about that. */
final class Grants {
    private final Map<String, Grant> byToken = new HashMap<>();
    private final Map<String, Grant> latestByRef = new HashMap<>();
    private final Map<String, List<Grant>> byRecord = new HashMap<>();
    private final StoreClock clock;

    /** Since when processes that were suspended know the time again. */
    private final Map<String, Long> informedAt = new HashMap<>();

    Grants(StoreClock clock) {
        this.clock = clock;
    }

    /** Called after the rules have seen the event. */
    void see(HistoryEvent event) {
        if (event instanceof Granted granted) {
            if (!byToken.containsKey(granted.token())) {
                Grant grant = new Grant(granted, clock, knewTheTime(granted.process(), granted.from()));
                byToken.put(granted.token(), grant);
                latestByRef.put(granted.ref(), grant);
                byRecord.computeIfAbsent(granted.record(), record -> new ArrayList<>(2))
                        .add(grant);
            }
        } else if (event instanceof Renewed renewed) {
            Grant grant = byToken.get(renewed.token());
            if (grant != null) {
                grant.renewed(renewed, knewTheTime(renewed.process(), renewed.from()));
            }
        } else if (event instanceof GivenBack back) {
            Grant grant = byToken.get(back.token());
            if (grant != null) {
                grant.ended(back.from(), back.at());
                grant.givenBack = true;
                grant.released = true;
            }
        } else if (event instanceof Settled settled) {
            Grant grant = byToken.get(settled.token());
            if (grant != null) {
                grant.settled(settled);
            }
        } else if (event instanceof Decided decided) {
            Grant grant = latestByRef.get(decided.ref());
            if (grant != null) {
                grant.ended(decided.at(), decided.at());
                grant.released = true;
                grant.decided = true;
                if (decided.ending().isFinal()) {
                    grant.keptUntil = decided.at() + decided.keptFor();
                    grant.forgottenFrom = clock.forgotten(decided.at(), decided.keptFor());
                }
            }
        } else if (event instanceof Suspended suspended) {
            informedAt.put(suspended.process(), Long.MAX_VALUE);
        } else if (event instanceof Informed informed) {
            informedAt.put(informed.process(), informed.at());
        } else if (event instanceof Ran ran) {
            Grant grant = of(ran.record(), ran.fence());
            if (grant != null) {
                grant.hasRun = true;
                grant.call = ran.call();
            }
        }
    }

    /** A command of a process that did not know the time asks for a lease that may be over at once. Its answer says so. */
    private boolean knewTheTime(String process, long made) {
        return made >= informedAt.getOrDefault(process, Long.MIN_VALUE);
    }

    /** The grant with this token. */
    @Nullable
    Grant of(String token) {
        return byToken.get(token);
    }

    /** The latest grant of this claim. */
    @Nullable
    Grant latest(String ref) {
        return latestByRef.get(ref);
    }

    /** The grant of this record with this fence. */
    @Nullable
    Grant of(String record, long fence) {
        for (Grant grant : ofRecord(record)) {
            if (grant.granted.fence() == fence) {
                return grant;
            }
        }
        return null;
    }

    /** All grants of a record, in their order. */
    List<Grant> ofRecord(String record) {
        return byRecord.getOrDefault(record, List.of());
    }

    /** Until when the final answer of a record is kept at least; 0 if it has none. */
    long keptUntil(String record) {
        long latest = 0;
        for (Grant grant : ofRecord(record)) {
            latest = Math.max(latest, grant.keptUntil);
        }
        return latest;
    }

    /** From when on the final answer of a record is not told any more; 0 if it has none. */
    long forgottenFrom(String record) {
        long latest = 0;
        for (Grant grant : ofRecord(record)) {
            latest = Math.max(latest, grant.forgottenFrom);
        }
        return latest;
    }

    /** One grant and what happened to it. */
    static final class Grant {
        final Granted granted;
        private final StoreClock clock;
        private long lease;

        /** The lease lasts at least until then, unless the claim was settled or given back. */
        long heldUntil;

        /** The lease does not last beyond this moment. */
        long lapsedAfter;

        /** When the claim may have been settled or given back at the earliest. */
        long endedFrom = Long.MAX_VALUE;

        /** When the claim was settled or given back at the latest. */
        long endedBy = Long.MAX_VALUE;

        /** Until when its final answer is kept at least; 0 if it has none. */
        long keptUntil;

        /** From when on its final answer is not told any more; 0 if it has none. */
        long forgottenFrom;

        /** Whether it may have been settled so that an answer is stored. */
        boolean mayBeAnswered;

        /** Whether it may have ended in a way that lets others have the claim, at once or after a TTL. */
        boolean released;

        boolean givenBack;

        /** Whether an operator has decided about it. */
        boolean decided;

        boolean hasRun;
        long call = -1;

        Grant(Granted granted, StoreClock clock, boolean knewTheTime) {
            this.granted = granted;
            this.clock = clock;
            this.lease = granted.lease();
            this.heldUntil = knewTheTime ? granted.from() + granted.lease() : 0;
            this.lapsedAfter = clock.leaseOver(granted.from(), granted.at(), granted.lease());
        }

        /** Whether its owner surely had the claim at this moment. */
        boolean surelyHeldAt(long moment) {
            return granted.at() < moment && moment < heldUntil && moment < endedFrom;
        }

        private void renewed(Renewed renewed, boolean knewTheTime) {
            long held = knewTheTime ? Math.min(renewed.from() + renewed.lease(), granted.from() + granted.maxRun()) : 0;
            long lapsed = Math.min(
                    clock.leaseOver(renewed.from(), renewed.at(), renewed.lease()),
                    clock.leaseOver(granted.from(), granted.at(), granted.maxRun()));
            // A renewal that was sent earlier never shortens a lease of the same length.
            boolean same = renewed.lease() == lease;
            heldUntil = same ? Math.max(heldUntil, held) : held;
            lapsedAfter = same ? Math.max(lapsedAfter, lapsed) : lapsed;
            lease = renewed.lease();
        }

        private void settled(Settled settled) {
            ended(settled.from(), settled.certain() ? settled.at() : Long.MAX_VALUE);
            released |= settled.ending() != Ending.UNKNOWN;
            mayBeAnswered |= settled.ending().isFinal();
            if (settled.certain() && settled.ending().isFinal()) {
                long forgotten = clock.forgotten(settled.from(), settled.keptFor());
                if (keptUntil == 0) {
                    keptUntil = settled.from() + settled.keptFor();
                    forgottenFrom = forgotten;
                } else if (clock.fromSending()) {
                    // It was dated again, so the answer is kept longer.
                    forgottenFrom = Math.max(forgottenFrom, forgotten);
                }
            }
        }

        private void ended(long from, long by) {
            endedFrom = Math.min(endedFrom, from);
            endedBy = Math.min(endedBy, by);
        }
    }
}
