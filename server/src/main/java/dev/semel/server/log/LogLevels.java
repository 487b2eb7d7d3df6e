// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import org.slf4j.LoggerFactory;

/** Selects how much is logged. */
public final class LogLevels {
    private LogLevels() {}

    /** From now on, this logger and those below it log errors only. */
    public static void onlyErrors(String logger) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            context.getLogger(logger).setLevel(Level.ERROR);
        }
    }
}
