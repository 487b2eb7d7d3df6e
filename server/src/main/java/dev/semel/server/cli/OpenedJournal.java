// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.cli;

import dev.semel.journal.Journal;
import dev.semel.server.storage.SqlStorage;
import dev.semel.server.storage.Storage;
import java.util.Optional;

/** The journal of a database, if it has one, for look-ups. */
record OpenedJournal(Optional<Journal> journal) implements AutoCloseable {
    static OpenedJournal of(Storage storage) {
        return new OpenedJournal(storage.sql().map(SqlStorage::lookUpJournal));
    }

    @Override
    public void close() {
        journal.ifPresent(Journal::close);
    }
}
