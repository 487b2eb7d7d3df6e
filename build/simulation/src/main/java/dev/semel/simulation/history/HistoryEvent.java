// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation.history;

import java.util.List;

/**
 * Something that a process did, or that was done to it. Times are nanoseconds of one clock that all processes share. An event with
 * two times is a call to the store: it was sent at {@code from} and has taken effect by {@code at}. If the moment of the effect is
 * known, both are that moment.
 *
 * <p>A claim's {@code record} is any text that is the same for all attempts of one record and different for every other record, for
 * example a child key. Record and fence together identify a grant. A {@code value} is any text that tells results apart, for
 * example a number, a size and a checksum.
 */
public sealed interface HistoryEvent {
    /** When it happened, or when it was known. */
    long at();

    /** The process; a process that starts again has a new name. */
    String process();

    /** How work, or its claim, ended. */
    enum Ending {
        SUCCEEDED,
        REJECTED,
        FAILED,
        RETRYABLE,
        UNKNOWN;

        /** Whether later callers are told the same. */
        public boolean isFinal() {
            return this == SUCCEEDED || this == REJECTED || this == FAILED;
        }
    }

    /** What a caller was told. */
    enum Answer {
        SUCCEEDED,
        REJECTED,
        FAILED,
        /** Done before, but the result was not kept. */
        TOMBSTONE,
        /** It ran and failed, and may run again. */
        RETRYABLE,
        IN_PROGRESS,
        MISMATCH,
        UNKNOWN,
        UNAVAILABLE,
        /** It ran, but its outcome is not stored. */
        UNSETTLED,
        /** A read found no claim, or one that may run again. */
        FREE,
        /** The caller owns the claim and runs the work itself. */
        GRANTED;

        /** Whether every later caller is told the same. */
        public boolean isFinal() {
            return this == SUCCEEDED || this == REJECTED || this == FAILED || this == TOMBSTONE;
        }
    }

    /**
     * A caller asked.
     *
     * @param call a number that no other call has
     * @param keys the key and its aliases
     * @param fingerprint empty if it matches every request
     * @param answerBy when the caller must have been told at the latest
     * @param reads whether the call only reads: it links no aliases and runs nothing
     * @param mustSettle whether the answer must be final, because no faults are left
     */
    record Asked(
            long at,
            String process,
            long call,
            List<String> keys,
            String fingerprint,
            long answerBy,
            boolean reads,
            boolean mustSettle)
            implements HistoryEvent {}

    /**
     * The store granted a claim. The event may repeat if the command was sent again.
     *
     * @param ref the claim's digest
     * @param lease how long the lease lasts, in nanoseconds
     * @param maxRun how long renewals may prolong it in all, in nanoseconds
     * @param parks whether a person must decide if the owner disappears
     * @param probes whether a probe must be asked if the owner disappears
     * @param fingerprint of the request that the claim is for; empty if it matches every request
     */
    record Granted(
            long from,
            long at,
            String process,
            String token,
            String ref,
            String record,
            long fence,
            int attempt,
            long lease,
            long maxRun,
            boolean parks,
            boolean probes,
            String fingerprint)
            implements HistoryEvent {}

    /** The store prolonged a lease. */
    record Renewed(long from, long at, String process, String token, long lease) implements HistoryEvent {}

    /** The store took a claim back whose work was not begun. */
    record GivenBack(long from, long at, String process, String token) implements HistoryEvent {}

    /**
     * The store settled a claim.
     *
     * @param keptFor how long the store keeps a final answer, in nanoseconds
     * @param certain false if the store did not answer, so that it may have settled or not
     */
    record Settled(long from, long at, String process, String token, Ending ending, long keptFor, boolean certain)
            implements HistoryEvent {}

    /** A probe said that the work of an earlier owner was not done, so that this owner may run it. */
    record Probed(long at, String process, String record, long fence) implements HistoryEvent {}

    /** Work began. */
    record Ran(long at, String process, long call, String record, long fence) implements HistoryEvent {}

    /** Work ended, and its effect has happened if it succeeded. */
    record Ended(long at, String process, long call, String record, long fence, Ending ending, String value)
            implements HistoryEvent {}

    /** A caller received its answer. */
    record Told(long at, String process, long call, Answer answer, String value) implements HistoryEvent {}

    /** An operator settled a claim that nobody worked on. */
    record Decided(long at, String process, String ref, Ending ending, String value, long keptFor)
            implements HistoryEvent {}

    /**
     * An operator made the store forget a settled claim and advanced the cache's epoch.
     *
     * @param cachedUntil callers that ask until then may be told the old answer by a cache
     */
    record Forgotten(long at, String process, String ref, long cachedUntil) implements HistoryEvent {}

    /** Aliases of one caller led to two records. */
    record Conflicted(long at, String process, List<String> keys) implements HistoryEvent {}

    /** A process stopped for a while, and went on. */
    record Paused(long at, String process, long until) implements HistoryEvent {}

    /** The host of a process is suspended. When it goes on, the process does not know how much later it is. */
    record Suspended(long at, String process) implements HistoryEvent {}

    /** A process that was suspended knows the time again. */
    record Informed(long at, String process) implements HistoryEvent {}

    /** A process ended without notice. Its callers are told nothing. */
    record Crashed(long at, String process) implements HistoryEvent {}

    /** A process holds this much of something. */
    record Held(long at, String process, String what, long count, long limit) implements HistoryEvent {}
}
