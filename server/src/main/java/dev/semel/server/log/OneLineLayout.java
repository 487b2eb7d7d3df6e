// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import ch.qos.logback.core.LayoutBase;
import java.util.List;
import org.slf4j.event.KeyValuePair;

/**
 * A log layout of one line per event: {@code time=... level=... logger=... msg="..." key=value}.
 *
 * <p>Control characters are escaped, so that untrusted input cannot forge a log line. An exception is logged with its
 * class and a few stack frames. Its message is logged only for our own exceptions, because others may quote user data.
 */
public final class OneLineLayout extends LayoutBase<ILoggingEvent> {
    private static final int FRAMES = 6;
    private static final String OURS = "dev.semel.";

    @Override
    public String doLayout(ILoggingEvent event) {
        StringBuilder line = new StringBuilder(160)
                .append("time=")
                .append(event.getInstant())
                .append(" level=")
                .append(event.getLevel())
                .append(" logger=")
                .append(event.getLoggerName())
                .append(" msg=");
        quoted(line, String.valueOf(event.getFormattedMessage()));
        List<KeyValuePair> pairs = event.getKeyValuePairs();
        if (pairs != null) {
            pairs.forEach(pair -> {
                line.append(' ').append(pair.key).append('=');
                quoted(line, String.valueOf(pair.value));
            });
        }
        if (event.getThrowableProxy() != null) {
            line.append(" exception=");
            quoted(line, described(event.getThrowableProxy()));
        }
        return line.append('\n').toString();
    }

    /** The classes of an exception and its causes, a few frames, and the messages of our own exceptions. */
    static String described(IThrowableProxy thrown) {
        StringBuilder text = new StringBuilder();
        int depth = 0;
        for (IThrowableProxy cause = thrown; cause != null && depth < 5; cause = cause.getCause(), depth++) {
            text.append(depth == 0 ? "" : " caused by ").append(cause.getClassName());
            if (cause.getClassName().startsWith(OURS) && cause.getMessage() != null) {
                text.append(": ").append(cause.getMessage());
            }
            StackTraceElementProxy[] frames = cause.getStackTraceElementProxyArray();
            for (int i = 0; frames != null && i < Math.min(FRAMES, frames.length); i++) {
                text.append(" | ").append(frames[i].getStackTraceElement());
            }
        }
        return text.toString();
    }

    private static void quoted(StringBuilder line, String text) {
        line.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                line.append('\\').append(c);
            } else if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029') {
                line.append("\\u%04x".formatted((int) c));
            } else {
                line.append(c);
            }
        }
        line.append('"');
    }
}
