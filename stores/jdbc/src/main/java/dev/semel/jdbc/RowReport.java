// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

/** What listeners are told about a submitted row. Each field is written before the row is handed to another thread. */
final class RowReport {
    private volatile long submitted;
    private volatile int attempt;
    private volatile int secondAttempt;

    /** The row is submitted to its lane at this time, in nanoseconds of the monotonic clock. */
    void submitted(long nanos) {
        submitted = nanos;
    }

    long submitted() {
        return submitted;
    }

    /** The row is written in a transaction of its own, in this attempt of its claim. */
    void runs(int number) {
        attempt = number;
    }

    /** The attempt in which the row was written; 0 if it was written together with others, which is the first attempt. */
    int attempt() {
        return attempt;
    }

    /** As {@link #runs}, for the second claim. */
    void secondRuns(int number) {
        secondAttempt = number;
    }

    int secondAttempt() {
        return secondAttempt;
    }
}
