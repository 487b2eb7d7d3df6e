// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.kafka;

import dev.semel.RunContext;
import dev.semel.messaging.ClaimedMessage;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** What a listener can learn about the claims under which it runs. */
public final class ListenerRun {
    private static final ThreadLocal<@Nullable RunContext> RECORD = new ThreadLocal<>();
    private static final ThreadLocal<@Nullable List<? extends ClaimedMessage<? extends ConsumerRecord<?, ?>>>> BATCH =
            new ThreadLocal<>();

    private ListenerRun() {}

    /**
     * The claim of the record that this thread is processing: {@code ListenerRun.current().childKey("charge")}.
     *
     * @throws IllegalStateException if this thread is not in a gated listener of single records
     */
    public static RunContext current() {
        RunContext run = RECORD.get();
        if (run == null) {
            throw new IllegalStateException(
                    "This thread is not in a gated listener of single records: install the gate with"
                            + " GatedListeners.install, and call this on the listener's thread");
        }
        return run;
    }

    /**
     * The records of the batch that this thread is processing, with their claims, in the order of the batch.
     *
     * @throws IllegalStateException if this thread is not in a gated batch listener
     */
    public static List<? extends ClaimedMessage<? extends ConsumerRecord<?, ?>>> batch() {
        List<? extends ClaimedMessage<? extends ConsumerRecord<?, ?>>> batch = BATCH.get();
        if (batch == null) {
            throw new IllegalStateException("This thread is not in a gated batch listener: install the gate with"
                    + " GatedListeners.install, and call this on the listener's thread");
        }
        return batch;
    }

    static void within(RunContext run, ListenerCall call) throws Exception {
        RECORD.set(run);
        try {
            call.proceed();
        } finally {
            RECORD.remove();
        }
    }

    static void within(List<? extends ClaimedMessage<? extends ConsumerRecord<?, ?>>> batch, ListenerCall call)
            throws Exception {
        BATCH.set(batch);
        try {
            call.proceed();
        } finally {
            BATCH.remove();
        }
    }
}
