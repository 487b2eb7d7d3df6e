// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import dev.semel.webhooks.provider.WebhookRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Checks after every test class that the log contains nothing of what was sent. All tests make their requests with
 * {@link TestSender}, which registers them here.
 */
public final class LogHygiene implements AfterAllCallback {
    private static final Set<String> SENT = ConcurrentHashMap.newKeySet();
    private static final ConcurrentLinkedQueue<String> LOGGED = new ConcurrentLinkedQueue<>();

    private static final ConcurrentLinkedQueue<String> MESSAGES = new ConcurrentLinkedQueue<>();

    /** Shorter texts occur in logs by chance. */
    private static final int SHORTEST = 6;

    /** Words in deliveries that are not confidential, such as media types. */
    private static final Set<String> HARMLESS = Set.of("application/json", "SHA256withRSA", "processed", "stripe");

    static void sent(String text) {
        if (text.length() >= SHORTEST && !HARMLESS.contains(text) && SENT.size() < 5_000) {
            SENT.add(text);
        }
    }

    static void sent(WebhookRequest request) {
        sent(new String(request.body(), StandardCharsets.UTF_8));
        request.headers().all().values().forEach(values -> values.forEach(LogHygiene::sent));
    }

    static List<String> logged() {
        return new ArrayList<>(LOGGED);
    }

    /** The lines as a log format shows them that prints no key-value pairs. */
    static List<String> messages() {
        return new ArrayList<>(MESSAGES);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        String all = String.join("\n", LOGGED);
        assertThat(SENT.stream().filter(all::contains).toList())
                .as("texts of deliveries that are in the log")
                .isEmpty();
    }

    /** Collects every log line with its fields and the messages of its exceptions. */
    public static final class Appender extends AppenderBase<ILoggingEvent> {
        @Override
        protected void append(ILoggingEvent event) {
            MESSAGES.add(event.getFormattedMessage());
            StringBuilder line = new StringBuilder(event.getFormattedMessage());
            if (event.getKeyValuePairs() != null) {
                event.getKeyValuePairs().forEach(pair -> line.append(' ').append(pair));
            }
            for (IThrowableProxy cause = event.getThrowableProxy(); cause != null; cause = cause.getCause()) {
                line.append(' ').append(cause.getClassName()).append(": ").append(cause.getMessage());
            }
            LOGGED.add(line.toString());
        }
    }
}
