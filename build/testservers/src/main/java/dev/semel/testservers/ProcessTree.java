// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A process and all its descendants, at one moment. */
record ProcessTree(List<ProcessHandle> processes) {

    ProcessTree {
        processes = List.copyOf(processes);
    }

    static ProcessTree of(ProcessHandle root) {
        return new ProcessTree(
                Stream.concat(Stream.of(root), root.descendants()).toList());
    }

    /** Kills all of them and waits until they have ended. */
    void kill(Duration limit) {
        processes.forEach(ProcessHandle::destroyForcibly);
        if (!Await.until(limit, this::isGone)) {
            throw new IllegalStateException("Not all of these processes ended after SIGKILL: " + processes);
        }
    }

    /** Sends a signal to all of them. */
    void signal(String name) {
        processes.forEach(process -> Signal.send(name, process));
    }

    boolean isGone() {
        return processes.stream().allMatch(process -> !process.isAlive() || isZombie(process));
    }

    /**
     * The system's first process must reap orphans. In a container it may be a program that does not, and then ended
     * processes stay in the process table as zombies.
     */
    private static boolean isZombie(ProcessHandle process) {
        try {
            String status = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
            return status.startsWith("Z", status.lastIndexOf(')') + 2);
        } catch (IOException goneOrNotLinux) {
            return false;
        }
    }
}
