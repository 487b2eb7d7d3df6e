// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.nio.file.Path;

/** A server that this JVM runs as its own child process, and can crash and bring back. */
public sealed interface TestServer extends AutoCloseable permits DatabaseServer, RedisServer {

    /** The port on 127.0.0.1, the same for the server's whole life. */
    int port();

    /** The id of the process to send signals to; a new one after each {@link #restart()}. */
    long pid();

    /** Where the server keeps its files. The folder is deleted by {@link #close()}. */
    Path dataDirectory();

    /** Kills the server and all its children with SIGKILL, as a crash would, and waits until they are gone. */
    void kill();

    /**
     * Starts the server again on its port and data, and waits until it has recovered and answers. A server that still
     * runs is first stopped in the regular way.
     */
    void restart();

    /** Ends the server at once, without a regular stop, and deletes its data. */
    @Override
    void close();
}
