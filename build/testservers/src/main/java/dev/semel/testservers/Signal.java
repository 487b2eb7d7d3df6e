// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.util.List;

/** Signals that Java has no method for. */
final class Signal {

    private Signal() {}

    /** Sends a signal, unless the process has ended and its id may belong to another process. */
    static void send(String name, Process process) {
        send(name, process.toHandle());
    }

    /** Sends a signal, unless the process has ended and its id may belong to another process. */
    static void send(String name, ProcessHandle process) {
        if (process.isAlive()) {
            Programs.succeeds(List.of("sh", "-c", "kill -s \"$1\" \"$2\"", "sh", name, Long.toString(process.pid())));
        }
    }
}
