// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

import dev.semel.claim.StalePolicy;
import dev.semel.torture.history.Answer;
import dev.semel.torture.history.HistoryFile;
import dev.semel.torture.history.RecordedEvent;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Writes the history of this process. */
final class Recorder {
    private final HistoryFile file;
    private final AtomicLong calls;
    private final AtomicLong runs;
    private final AtomicLong operations = new AtomicLong();

    /** @param process a number that no other process of the run has */
    Recorder(HistoryFile file, int process) {
        this.file = file;
        this.calls = new AtomicLong((long) process << 32);
        this.runs = new AtomicLong((long) process << 32);
    }

    void write(RecordedEvent event) {
        file.write(event);
    }

    /** How many calls were answered. */
    long operations() {
        return operations.get();
    }

    /** A call is about to begin. Returns its number. */
    long asked(Item item, Duration bound) {
        long call = calls.incrementAndGet();
        write(new RecordedEvent.Asked(System.nanoTime(), item.name(), call, item.ttlMillis(), bound.toMillis()));
        return call;
    }

    void told(Item item, long call, Answer answer, int bytes, String hash) {
        write(new RecordedEvent.Told(System.nanoTime(), item.name(), call, answer, bytes, hash));
        operations.incrementAndGet();
        if (answer == Answer.UNKNOWN && item.onStale() != StalePolicy.PARK) {
            unexpected(item.name(), "a caller was told that the outcome is unknown, but nothing parks this claim");
        }
        if (answer == Answer.MISMATCH) {
            unexpected(item.name(), "a caller was told of another request, but all are equal");
        }
    }

    void told(Item item, long call, Answer answer) {
        told(item, call, answer, 0, "");
    }

    /** A record was written for the item. It is the effect: its id is the result that every caller must be told. */
    Answer written(Item item, long call, String stream, Object id) {
        String text = id.toString();
        write(new RecordedEvent.Written(System.nanoTime(), item.name(), stream, text));
        write(new RecordedEvent.Ended(System.nanoTime(), item.name(), 0, 0, text));
        told(item, call, Answer.SUCCEEDED, 0, text);
        return Answer.SUCCEEDED;
    }

    long nextRun() {
        return runs.incrementAndGet();
    }

    /** The effect of a run that a lease guards. */
    void began(Item item, long run, Held held) {
        write(new RecordedEvent.Began(
                System.nanoTime(),
                item.name(),
                run,
                held.token(),
                held.fence(),
                held.leaseEnd(),
                item.lease().toMillis()));
    }

    /** The effect of a run that its own transaction guards. */
    void beganInTransaction(Item item, long run) {
        write(new RecordedEvent.Began(System.nanoTime(), item.name(), run, "", 0, 0, 0));
    }

    /** Returns when the run ended: its settlement is sent later. */
    long ended(Item item, long run, int bytes, String hash) {
        long now = System.nanoTime();
        write(new RecordedEvent.Ended(now, item.name(), run, bytes, hash));
        return now;
    }

    void settled(Item item, long run, Answer answer, long sentAt, int bytes, String hash) {
        write(new RecordedEvent.Settled(
                System.nanoTime(), item.name(), run, answer, sentAt, bytes, hash, item.ttlMillis()));
    }

    void lost(Item item, long run, int bytes, String hash) {
        write(new RecordedEvent.Lost(System.nanoTime(), item.name(), run, bytes, hash, item.ttlMillis()));
    }

    void unexpected(String item, String what) {
        write(new RecordedEvent.Unexpected(System.nanoTime(), item, what));
    }
}
