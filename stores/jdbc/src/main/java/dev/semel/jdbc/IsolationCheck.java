// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

/** Which isolation levels the transaction of a caller may have. The level is that of the session, as its database writes it. */
enum IsolationCheck {
    MARIADB {
        @Override
        void require(String level) {
            if (level.equals("READ-UNCOMMITTED")) {
                throw new IllegalStateException(
                        "READ UNCOMMITTED is not supported: it shows results that may never be committed");
            }
        }
    },
    /**
     * At any higher level, a part of the transaction that is rolled back to a savepoint leaves locks on gaps of the indexes, also on
     * the gap behind the newest claim. No process could make a new claim until the transaction ends.
     */
    MYSQL {
        @Override
        void require(String level) {
            if (!level.equals("READ-COMMITTED")) {
                throw new IllegalStateException(
                        "On MySQL, a transaction with a claim needs READ COMMITTED, but the session's level is %s. Set it for the"
                                        .formatted(level.replace('-', ' '))
                                + " sessions of the pool, for example with Hikari's transactionIsolation ="
                                + " TRANSACTION_READ_COMMITTED");
            }
        }
    };

    /** @throws IllegalStateException if the level is not supported */
    abstract void require(String level);
}
