// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import dev.semel.journal.InboxEntries;
import dev.semel.journal.Journal;
import dev.semel.journal.MigratedDatabase;
import dev.semel.key.Secrets;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.DatabaseServer;
import dev.semel.testservers.SilentNetwork;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** An inbox behind a network that falls silent at a commit, so that its outcome is unknown. */
final class InboxWithLostCommits implements AutoCloseable {
    /** PostgreSQL's driver sends COMMIT as text instead of the number of a prepared statement. */
    private static final String COMMIT_AS_TEXT = "prepareThreshold=0";

    private final MigratedDatabase database;
    private final SilentNetwork network;
    private final Journal journal;

    InboxWithLostCommits(DatabaseKind kind) throws Exception {
        boolean postgres = kind == DatabaseKind.POSTGRESQL;
        DatabaseServer server = kind.sharedServer();
        database = MigratedDatabase.on(server);
        network = new SilentNetwork(server, Pattern.compile("\\bCOMMIT\\b"));
        String through = database.through(network);
        String url = postgres ? through + (through.contains("?") ? "&" : "?") + COMMIT_AS_TEXT : through;
        journal = Journal.on(database.pool(url))
                .inbox(Secrets.of(InboxEntries.OLD))
                .build();
    }

    /** The database itself, without the network. */
    MigratedDatabase database() {
        return database;
    }

    Inbox inbox() {
        return journal.inbox();
    }

    /** Makes a call and loses the connection at its commit. */
    <R> CompletionStage<R> losing(SilentNetwork.At at, Supplier<CompletionStage<R>> call) throws InterruptedException {
        network.fallSilentAtCommit(1, at);
        CompletionStage<R> answer = call.get();
        network.disconnectAfterLoss();
        return answer;
    }

    int losses() {
        return network.silences();
    }

    @Override
    public void close() throws Exception {
        journal.close();
        network.close();
        database.close();
    }
}
