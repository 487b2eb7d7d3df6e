// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.kafka;

import java.time.Duration;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.kafka.listener.RetryListener;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;

/**
 * Waits as long as the gate says, and retries without end: the gate decides when a record is given up. The error handler tells
 * it each failure as a {@link RetryListener}, and asks it for the pause afterwards, on the same thread.
 */
final class GateBackOff implements BackOff, BackOffExecution, RetryListener {
    private final Duration longest;
    private final ThreadLocal<Duration> next;

    /** @param longest the pause after a failure outside the gate */
    GateBackOff(Duration longest) {
        this.longest = longest;
        this.next = ThreadLocal.withInitial(() -> longest);
    }

    @Override
    public void failedDelivery(ConsumerRecord<?, ?> record, Exception exception, int deliveryAttempt) {
        next.set(pauseOf(exception));
    }

    private Duration pauseOf(Throwable failure) {
        for (Throwable e = failure; e != null; e = e.getCause()) {
            if (e instanceof RedeliverException redelivered) {
                return redelivered.redeliver().after();
            }
        }
        return longest;
    }

    @Override
    public BackOffExecution start() {
        return this;
    }

    @Override
    public long nextBackOff() {
        return next.get().toMillis();
    }
}
