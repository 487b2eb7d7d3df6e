// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import org.junit.jupiter.api.Test;

class OneLineLayoutTest {
    private final LoggerContext context = new LoggerContext();

    @Test
    void nothingBreaksTheLine() {
        String line = layout("a\nb\r\u2028\"c\"", null);

        assertThat(line.strip()).doesNotContain("\n", "\r", "\u2028").contains("\\u000a", "\\\"c\\\"");
    }

    @Test
    void aForeignExceptionsMessageStaysOut() {
        String line = layout("failed", new IllegalStateException("duplicate key (geheim)"));

        assertThat(line).contains("java.lang.IllegalStateException").doesNotContain("geheim");
    }

    private String layout(String message, Throwable thrown) {
        return new OneLineLayout()
                .doLayout(new LoggingEvent("x", context.getLogger("test"), Level.INFO, message, thrown, new Object[0]));
    }
}
