// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonBoolean;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class JsonLayoutTest {
    private final LoggerContext context = new LoggerContext();

    @Test
    void numbersStayNumbers() {
        JsonObject line = parsed(event(
                "WEBHOOK_RECEIVED",
                null,
                new KeyValuePair("provider", "paypal"),
                new KeyValuePair("payload_size", 412),
                new KeyValuePair("verified", true)));

        assertThat(line.member("payload_size")).contains(JsonNumber.of(412));
        assertThat(line.member("verified")).contains(new JsonBoolean(true));
        assertThat(line.member("provider")).contains(new JsonString("paypal"));
        assertThat(line.member("msg")).contains(new JsonString("WEBHOOK_RECEIVED"));
    }

    @Test
    void nothingBreaksTheLineOrReplacesAMember() {
        LoggingEvent event =
                event("a\nb\"\ud800", null, new KeyValuePair("level", "forged"), new KeyValuePair("x\n", "y\r"));

        assertThat(new JsonLayout().doLayout(event).strip()).hasLineCount(1);
        assertThat(parsed(event).member("level")).contains(new JsonString("INFO"));
    }

    @Test
    void aForeignExceptionsMessageStaysOut() {
        String line = new JsonLayout().doLayout(event("failed", new IllegalStateException("geheim")));

        assertThat(line).contains("java.lang.IllegalStateException").doesNotContain("geheim");
    }

    private LoggingEvent event(String message, Throwable thrown, KeyValuePair... pairs) {
        LoggingEvent event =
                new LoggingEvent("x", context.getLogger("test"), Level.INFO, message, thrown, new Object[0]);
        for (KeyValuePair pair : pairs) {
            event.addKeyValuePair(pair);
        }
        return event;
    }

    private static JsonObject parsed(LoggingEvent event) {
        return (JsonObject) Json.parse(new JsonLayout().doLayout(event).strip().getBytes(StandardCharsets.UTF_8));
    }
}
