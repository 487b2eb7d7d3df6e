// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.history;

/**
 * Something that one process has seen. Times are {@link System#nanoTime}, which all processes of a machine share on Linux.
 * A time in the past of the event is named for itself.
 */
public sealed interface RecordedEvent {
    /** When it was written down. What a process does next happens later; what it has seen happened earlier. */
    long at();

    /** The piece of work; empty if the event is about the whole process. */
    String item();

    /**
     * A caller is about to ask.
     *
     * @param ttlMillis how long a settled result is kept; 0 for no limit
     * @param boundMillis how long the answer may take
     */
    record Asked(long at, String item, long call, long ttlMillis, long boundMillis) implements RecordedEvent {}

    /** A caller got its answer. Content is empty if the answer has none. */
    record Told(long at, String item, long call, Answer answer, int bytes, String hash) implements RecordedEvent {}

    /** A command that acquires the claim is about to be sent to the store. */
    record Sent(long at, String item, String token) implements RecordedEvent {}

    /**
     * The store granted the claim.
     *
     * @param sentAt when the command was sent
     * @param leaseEnd when the lease ends at the earliest
     */
    record Granted(long at, String item, String ref, String token, long fence, int attempt, long sentAt, long leaseEnd)
            implements RecordedEvent {}

    /** The store refused the claim, so that its token was never stored. */
    record Refused(long at, String item, String token) implements RecordedEvent {}

    /**
     * The store confirmed a renewal.
     *
     * @param sentAt when it was sent
     */
    record Renewed(long at, String item, String token, long sentAt, long leaseEnd) implements RecordedEvent {}

    /** The store confirmed that the claim was given back before its work began. */
    record GivenBack(long at, String item, String token) implements RecordedEvent {}

    /**
     * The effect: the work begins.
     *
     * @param token of the claim under which it runs; empty if its own transaction guards the effect
     * @param leaseEnd when the lease ends, as far as this process can know; 0 without a lease
     */
    record Began(long at, String item, long run, String token, long fence, long leaseEnd, long leaseMillis)
            implements RecordedEvent {}

    /** The work has ended with this result; the hash is empty if it threw. */
    record Ended(long at, String item, long run, int bytes, String hash) implements RecordedEvent {}

    /**
     * A permanent settlement was acknowledged.
     *
     * @param sentAt when it was sent
     * @param ttlMillis how long it is kept; 0 for no limit
     */
    record Settled(long at, String item, long run, Answer answer, long sentAt, int bytes, String hash, long ttlMillis)
            implements RecordedEvent {}

    /**
     * The store refused a settlement, because its sender does not own the claim.
     *
     * @param hash of the result that was not stored; empty if there was none
     * @param ttlMillis how long a settled result is kept; 0 for no limit
     */
    record Lost(long at, String item, long run, int bytes, String hash, long ttlMillis) implements RecordedEvent {}

    /** The process did not run for a while. */
    record Stalled(long at, String item, long from) implements RecordedEvent {}

    /** After the faults, the item was not settled in time. */
    record Unfinished(long at, String item, Answer last) implements RecordedEvent {}

    /** A number that must not exceed its limit. */
    record Gauge(long at, String item, String name, long value, long limit) implements RecordedEvent {}

    /** Something that must not happen at all. */
    record Unexpected(long at, String item, String what) implements RecordedEvent {}

    /** A writer was told that a stream has this record for the item. */
    record Written(long at, String item, String stream, String id) implements RecordedEvent {}

    /** A reader got this record on a page. */
    record PageRead(long at, String item, String stream, long reader, String id) implements RecordedEvent {}

    /** A reader has read to the end, after all writers had ended. */
    record PagesEnded(long at, String item, String stream, long reader) implements RecordedEvent {}

    /** A row of the final tables; a stream's rows are its records, in order. */
    record Stored(long at, String item, String stream, String id) implements RecordedEvent {}

    /** A process was killed or paused, or a fault began. Only for the reader of a proof. */
    record Faulted(long at, String item, String what) implements RecordedEvent {}
}
