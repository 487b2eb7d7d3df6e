// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

/** A {@link TestServer} to connect to over JDBC. */
public sealed interface DatabaseServer extends TestServer permits PostgresServer, MariaDbServer {

    /** The URL of the database that is there from the start, without credentials. */
    String jdbcUrl();

    /** A user who may do everything. */
    String user();

    /** That user's password, drawn at random: nobody else on the machine can use the server. */
    String password();

    /**
     * Creates an empty database.
     *
     * @param name lower-case letters, digits and underscores, beginning with a letter
     * @return its URL, without credentials
     */
    String createDatabase(String name);
}
