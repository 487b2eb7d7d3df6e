// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.DatabaseServer;
import dev.semel.testservers.EachDatabase;
import dev.semel.testservers.KillsUnderLoad;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Database servers that are killed with SIGKILL and restarted while clients write, and retry as clients do. A subclass says
 * what the clients write, and checks that every acknowledged row is stored under the same id, and none is stored twice.
 */
public abstract class KilledServers {
    private static final int CLIENTS = 8;
    private static final int KILLS = 2;

    private final Map<String, String> violations = new ConcurrentHashMap<>();
    private final AtomicInteger next = new AtomicInteger();

    @ParameterizedTest
    @EachDatabase(except = DatabaseKind.SQLITE)
    public void nothingAcknowledgedIsLost(DatabaseKind kind) throws Exception {
        try (DatabaseServer server = kind.startServer();
                MigratedDatabase database = MigratedDatabase.on(server)) {
            killUnderLoad(server, database);
        }
    }

    /** Calls {@link #kill} with what the clients of this database write, and checks what is stored afterwards. */
    protected abstract void killUnderLoad(DatabaseServer server, MigratedDatabase database) throws Exception;

    /**
     * Kills the server while clients write, and checks their answers.
     *
     * @param write one step of a client, which ends with an acknowledgement
     * @param acknowledged what was {@linkplain #note noted}
     * @param growth how many rows are acknowledged before each kill
     */
    protected final void kill(DatabaseServer server, Runnable write, Map<String, UUID> acknowledged, int growth) {
        new KillsUnderLoad(server, KILLS).run(CLIENTS, write, acknowledged::size, growth);
        assertThat(violations).isEmpty();
    }

    /** A number that two clients share, so that there are duplicates in flight all the time. */
    protected final int sharedNumber() {
        return next.getAndIncrement() / 2;
    }

    /** Notes the id that was acknowledged for a key. All answers to one key must have the same. */
    protected final void note(Map<String, UUID> acknowledged, String key, UUID id) {
        UUID earlier = acknowledged.putIfAbsent(key, id);
        if (earlier != null && !earlier.equals(id)) {
            violation(key, "got two different ids");
        }
    }

    protected final void violation(String key, String what) {
        violations.put(key, what);
    }
}
