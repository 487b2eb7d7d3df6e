// SPDX-License-Identifier: Apache-2.0
/**
 * The ledger, call events and the webhook inbox. Each row is written in the same commit as its claim.
 *
 * <p>The packages with the schema files are open, so that {@code dev.semel.jdbc} and migration tools can read them.
 */
@SuppressWarnings("opens") // The packages with the schema files hold no classes.
module dev.semel.journal {
    requires static transitive org.jspecify;
    requires transitive dev.semel;
    requires transitive dev.semel.jdbc;
    requires transitive dev.semel.payload;
    requires org.slf4j;

    exports dev.semel.journal;
    exports dev.semel.journal.calls;
    exports dev.semel.journal.inbox;
    exports dev.semel.journal.ledger;
    exports dev.semel.journal.page;

    opens dev.semel.journal.mariadb;
    opens dev.semel.journal.postgresql;
    opens dev.semel.journal.sqlite;
}
