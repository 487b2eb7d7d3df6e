// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import dev.semel.journal.rows.JournalDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One take. It can be committed although its caller is told that it failed: the connection was lost at the commit, or the commit
 * came after the caller's time. Nobody knows the token then, so the events are given back.
 */
final class InboxTakeAttempt {
    private static final long FIRST_PAUSE_MILLIS = 500;

    /** The last attempt is about two minutes after the first. The events then stay taken until the lease ends. */
    private static final long MAX_PAUSE_MILLIS = 64_000;

    private final JournalDatabase database;
    private final InboxTakes takes;
    private final InboxTakeOrder order;
    private final Runnable givenBack;
    private final UUID token = UUID.randomUUID();
    private final Set<UUID> touched = ConcurrentHashMap.newKeySet();
    private volatile boolean failed;

    /** @param givenBack runs when events can be taken again */
    InboxTakeAttempt(JournalDatabase database, InboxTakes takes, InboxTakeOrder order, Runnable givenBack) {
        this.database = database;
        this.takes = takes;
        this.order = order;
        this.givenBack = givenBack;
    }

    CompletionStage<InboxTake> run() {
        return database.read(this::taken).whenComplete((take, failure) -> {
            if (failure != null) {
                failed = true;
                giveBack(FIRST_PAUSE_MILLIS);
            }
        });
    }

    /** If the caller's failure is not seen here, it is reported after the commit, and finds all events. */
    private InboxTake taken(Connection connection) throws SQLException {
        try {
            return takes.take(connection, order, token, touched::add);
        } finally {
            if (failed) {
                giveBack(FIRST_PAUSE_MILLIS);
            }
        }
    }

    /** Changes nothing if the take was not committed, or the events were given back before: the token decides. */
    private void giveBack(long pauseMillis) {
        if (touched.isEmpty()) {
            return;
        }
        database.read(this::returned).whenComplete((done, failure) -> {
            if (failure == null) {
                givenBack.run();
            } else if (pauseMillis <= MAX_PAUSE_MILLIS) {
                database.pause(pauseMillis).thenRun(() -> giveBack(2 * pauseMillis));
            }
        });
    }

    private int returned(Connection connection) throws SQLException {
        for (UUID id : touched) {
            takes.giveBack(connection, order.tenant(), id, token, Duration.ZERO);
        }
        return touched.size();
    }
}
