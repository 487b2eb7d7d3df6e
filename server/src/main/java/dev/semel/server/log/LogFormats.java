// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.log;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.Layout;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import dev.semel.server.config.LogFormat;
import java.util.Iterator;
import org.slf4j.LoggerFactory;

/** Selects the layout of the log. Logging starts before the settings are read, as text. */
public final class LogFormats {
    private LogFormats() {}

    /** Uses this format from now on. */
    public static void use(LogFormat format) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            Iterator<Appender<ILoggingEvent>> appenders =
                    context.getLogger(Logger.ROOT_LOGGER_NAME).iteratorForAppenders();
            while (appenders.hasNext()) {
                if (appenders.next() instanceof OutputStreamAppender<ILoggingEvent> appender) {
                    appender.setEncoder(encoder(context, format));
                }
            }
        }
    }

    private static LayoutWrappingEncoder<ILoggingEvent> encoder(LoggerContext context, LogFormat format) {
        Layout<ILoggingEvent> layout = format == LogFormat.JSON ? new JsonLayout() : new OneLineLayout();
        layout.setContext(context);
        layout.start();
        LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
        encoder.setContext(context);
        encoder.setLayout(layout);
        encoder.start();
        return encoder;
    }
}
