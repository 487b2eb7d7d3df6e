// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A process and all its descendants, as they were at one moment. */
record ProcessTree(List<ProcessHandle> processes) {

    ProcessTree {
        processes = List.copyOf(processes);
    }

    static ProcessTree of(ProcessHandle root) {
        return new ProcessTree(
                Stream.concat(Stream.of(root), root.descendants()).toList());
    }

    /** Kills them all and waits until they are gone. */
    void kill(Duration limit) {
        processes.forEach(ProcessHandle::destroyForcibly);
        if (!Await.until(limit, this::isGone)) {
            throw new IllegalStateException("Some of these survive a kill: " + processes);
        }
    }

    boolean isGone() {
        return processes.stream().allMatch(process -> !process.isAlive() || isZombie(process));
    }

    /**
     * Orphans are buried by the system's first process. In a container that may be some program that knows nothing of
     * the duty: they then stay in the table of processes for ever, dead as they are.
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
