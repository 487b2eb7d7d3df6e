// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.tracing;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs when exports begin to fail and when they succeed again, in the format of the server's log. */
final class LoggedExporter implements SpanExporter {
    private static final Logger LOG = LoggerFactory.getLogger(LoggedExporter.class);

    /** OpenTelemetry writes each failure to the JDK's log, which has another format. Kept, because the JDK does not. */
    private static final java.util.logging.Logger JDK_LOG = java.util.logging.Logger.getLogger("io.opentelemetry");

    private final SpanExporter exporter;
    private final AtomicBoolean failing = new AtomicBoolean();

    LoggedExporter(SpanExporter exporter) {
        this.exporter = exporter;
        JDK_LOG.setLevel(Level.OFF);
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        CompletableResultCode result = exporter.export(spans);
        return result.whenComplete(() -> {
            if (failing.getAndSet(!result.isSuccess()) == result.isSuccess()) {
                if (result.isSuccess()) {
                    LOG.info("Traces are exported again");
                } else {
                    LOG.warn("Traces cannot be exported; spans are dropped until the collector of"
                            + " tracing.endpoint is available again");
                }
            }
        });
    }

    @Override
    public CompletableResultCode flush() {
        return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return exporter.shutdown();
    }
}
