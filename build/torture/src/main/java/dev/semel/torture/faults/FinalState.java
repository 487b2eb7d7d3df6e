// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.faults;

import dev.semel.torture.history.HistoryFile;
import java.io.IOException;
import java.sql.SQLException;

/** What a store holds after a round, read without any fault between. */
public interface FinalState {
    /** Of a store that ends with its process. */
    FinalState NONE = new FinalState() {
        @Override
        public void read(String round, HistoryFile history) {}

        @Override
        public void clear() {}
    };

    /** Adds what the round has stored to the history. */
    void read(String round, HistoryFile history) throws SQLException, IOException;

    /** Empties the store, so that later rounds need no more disk than the first. */
    void clear() throws SQLException, IOException;
}
