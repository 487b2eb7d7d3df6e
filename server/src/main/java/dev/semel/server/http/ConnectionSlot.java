// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import io.netty.util.AttributeKey;
import org.jspecify.annotations.Nullable;

/** One of the limited number of connection slots. */
final class ConnectionSlot {
    /** The channel attribute that holds the connection's slot. */
    static final AttributeKey<ConnectionSlot> OF = AttributeKey.valueOf(ConnectionSlot.class, "slot");

    private final AddressAccount account;
    private volatile EventLoopConnections.@Nullable TrackedConnection connection;

    ConnectionSlot(AddressAccount account) {
        this.account = account;
    }

    AddressAccount account() {
        return account;
    }

    /** Attaches the connection once it is ready to be read. */
    void attach(EventLoopConnections.TrackedConnection tracked) {
        connection = tracked;
    }

    /** Returns whether another connection may take this slot. It may not while its own connection is being set up. */
    boolean canBeReplaced() {
        return connection != null;
    }

    /** Returns whether the connection has a request in progress. */
    boolean isWorking() {
        EventLoopConnections.TrackedConnection tracked = connection;
        return tracked != null && tracked.isWorking();
    }

    /** Closes the connection. */
    void closeConnection() {
        EventLoopConnections.TrackedConnection tracked = connection;
        if (tracked != null) {
            tracked.closeNow();
        }
    }
}
