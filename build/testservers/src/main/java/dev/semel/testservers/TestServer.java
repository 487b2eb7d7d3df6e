// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.nio.file.Path;

/** A server that runs as a child process of this JVM, and that a test can kill and restart. */
public abstract sealed class TestServer implements AutoCloseable
        permits DatabaseServer, DynamoServer, KafkaServer, RedisServer {
    final ScratchFolder folder;
    final Path data;
    final int port = FreePort.choose();

    TestServer(ScratchFolder folder) {
        this.folder = folder;
        this.data = folder.path().resolve("data");
    }

    /** The process, which is made once the data folder is initialized. */
    abstract ServerProcess process();

    /** Starts the process and waits until it answers. */
    void begin() {
        process().start();
    }

    /** The port on 127.0.0.1. It stays the same over restarts. */
    public final int port() {
        return port;
    }

    /** The id of the process that receives signals. It changes with each {@link #restart()}. */
    public final long pid() {
        return process().pid();
    }

    /** The folder of the server's files. {@link #close()} deletes it. */
    public final Path dataDirectory() {
        return data;
    }

    /** Kills the server and its children with SIGKILL, as a crash would, and waits until they have ended. */
    public final void kill() {
        process().kill();
    }

    /** Makes the server and its children stand still with SIGSTOP: connections stay open, and nothing is answered. */
    public final void suspend() {
        process().suspend();
    }

    /** Lets the server go on after {@link #suspend()}. */
    public final void resume() {
        process().resume();
    }

    /**
     * Starts the server again on its port and data, and waits until it has recovered and answers. A running server is
     * stopped in the regular way first.
     */
    public final void restart() {
        process().stop();
        begin();
    }

    /** Ends the server at once, without a regular stop, and deletes its data. */
    @Override
    public final void close() {
        process().close();
    }
}
