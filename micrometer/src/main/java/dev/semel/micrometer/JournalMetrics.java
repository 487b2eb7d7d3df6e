// SPDX-License-Identifier: Apache-2.0
package dev.semel.micrometer;

import dev.semel.journal.JournalListener;
import dev.semel.journal.calls.CallOutcome;
import dev.semel.journal.ledger.Ingestion;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Locale;

/**
 * Counts ledger entries and call events: {@code Journal.on(dataSource).listener(JournalMetrics.on(registry))}. It needs {@code
 * semel-journal}. The only tag is the outcome. docs/metrics.md lists the counters.
 *
 * <p>As a {@link MeterBinder}, it can be made before its registry. It does not count what happened before it was bound.
 */
public final class JournalMetrics implements JournalListener, MeterBinder {
    private final BoundCounters counters = new BoundCounters();

    /** Counts nothing until it is bound. */
    public JournalMetrics() {}

    /** Counts in this registry. */
    public static JournalMetrics on(MeterRegistry registry) {
        JournalMetrics metrics = new JournalMetrics();
        metrics.bindTo(registry);
        return metrics;
    }

    /** Counts in this registry too. */
    @Override
    public void bindTo(MeterRegistry registry) {
        counters.bindTo(registry);
    }

    @Override
    public void onIngestion(Ingestion ingestion) {
        counters.count("ledger.event", "Ledger entries by outcome", outcome(outcomeOf(ingestion)));
        if (differs(ingestion)) {
            counters.count("ledger.differs", "Ledger entries that differ from the event of their key", Tags.empty());
        }
    }

    private static String outcomeOf(Ingestion ingestion) {
        if (ingestion instanceof Ingestion.Written) {
            return "written";
        }
        if (ingestion instanceof Ingestion.Existing) {
            return "existing";
        }
        return ingestion instanceof Ingestion.Rejected ? "rejected" : "failed";
    }

    private static boolean differs(Ingestion ingestion) {
        return ingestion instanceof Ingestion.Rejected
                || (ingestion instanceof Ingestion.Existing existing && existing.differs());
    }

    @Override
    public void onCall(CallOutcome outcome) {
        counters.count("call.event", "Call events by outcome", outcome(outcomeOf(outcome)));
    }

    private static String outcomeOf(CallOutcome outcome) {
        if (outcome instanceof CallOutcome.Noop noop) {
            return noop.reason().name().toLowerCase(Locale.ROOT);
        }
        return outcome instanceof CallOutcome.Inserted ? "inserted" : "failed";
    }

    private static Tags outcome(String outcome) {
        return Tags.of("outcome", outcome);
    }
}
