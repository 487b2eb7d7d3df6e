// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A server as a child of this JVM: one process with its descendants at a time, in one folder. */
final class ServerProcess implements AutoCloseable {

    /** Throws while the server does not answer. */
    @FunctionalInterface
    interface Probe {
        void ask() throws IOException;
    }

    /** Long enough for the recovery after a crash during a benchmark. */
    private static final Duration START_LIMIT = Duration.ofSeconds(90);

    private static final Duration STOP_LIMIT = Duration.ofSeconds(10);
    private static final Duration KILL_LIMIT = Duration.ofSeconds(10);

    private final String name;
    private final List<String> command;
    private final String stopSignal;
    private final String endSignal;
    private final ScratchFolder folder;
    private final Probe probe;

    private @Nullable Process process;
    private boolean closed;

    /**
     * @param stopSignal stops the server in the regular way
     * @param endSignal ends the server without saving its data, which is deleted afterwards
     */
    ServerProcess(
            String name, List<String> command, String stopSignal, String endSignal, ScratchFolder folder, Probe probe) {
        this.name = name;
        this.command = List.copyOf(command);
        this.stopSignal = stopSignal;
        this.endSignal = endSignal;
        this.folder = folder;
        this.probe = probe;
    }

    synchronized void start() {
        if (closed || process != null) {
            throw new IllegalStateException("%s is %s".formatted(name, closed ? "closed" : "already running"));
        }
        Process started = ChildProcess.start(command, stopSignal, folder, ChildProcess.NO_INPUT);
        process = started;
        Readiness readiness = new Readiness(started, probe);
        if (!Await.until(START_LIMIT, readiness::isDecided) || !readiness.isReached()) {
            String log = LogTail.of(folder.log());
            kill();
            throw new IllegalStateException("%s did not start: %s".formatted(name, log), readiness.obstacle());
        }
    }

    synchronized long pid() {
        if (process == null) {
            throw new IllegalStateException(name + " is not running");
        }
        return process.pid();
    }

    /** Stops the server in the regular way, or by force if it takes too long. */
    synchronized void stop() {
        stop(stopSignal);
    }

    private void stop(String signal) {
        Process running = process;
        if (running == null) {
            return;
        }
        ProcessTree tree = ProcessTree.of(running.toHandle());
        Signal.send(signal, running);
        Await.until(STOP_LIMIT, tree::isGone);
        tree.kill(KILL_LIMIT);
        ended();
    }

    synchronized void kill() {
        Process running = process;
        if (running == null) {
            return;
        }
        // A stopped process cannot start another child while its children are listed and killed.
        Signal.send("STOP", running);
        ProcessTree.of(running.toHandle()).kill(KILL_LIMIT);
        ended();
    }

    /** Stops the server and its children with SIGSTOP. They keep their connections and locks. */
    synchronized void suspend() {
        Process running = process;
        if (running != null) {
            // First the server itself, so that it starts no further children.
            Signal.send("STOP", running);
            ProcessTree.of(running.toHandle()).signal("STOP");
        }
    }

    /** Lets a suspended server go on. */
    synchronized void resume() {
        Process running = process;
        if (running != null) {
            ProcessTree.of(running.toHandle()).signal("CONT");
        }
    }

    private void ended() {
        process = null;
        folder.forget();
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            stop(endSignal);
        } finally {
            folder.close();
        }
    }
}
