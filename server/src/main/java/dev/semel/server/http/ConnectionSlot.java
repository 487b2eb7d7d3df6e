// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import io.netty.util.AttributeKey;
import org.jspecify.annotations.Nullable;

/** The place that a connection has among all that there may be. */
final class ConnectionSlot {
    /** Where a connection's own is kept. */
    static final AttributeKey<ConnectionSlot> OF = AttributeKey.valueOf(ConnectionSlot.class, "seat");

    private final AddressAccount account;
    private volatile EventLoopConnections.@Nullable TrackedConnection connection;

    ConnectionSlot(AddressAccount account) {
        this.account = account;
    }

    AddressAccount account() {
        return account;
    }

    /** The connection is ready to be read. */
    void taken(EventLoopConnections.TrackedConnection tracked) {
        connection = tracked;
    }

    /** Whether it can be given to another connection: not while it is being set up. */
    boolean canBeCleared() {
        return connection != null;
    }

    /** Whether a request is being worked on. */
    boolean isWorking() {
        EventLoopConnections.TrackedConnection tracked = connection;
        return tracked != null && tracked.isWorking();
    }

    /** Closes its connection. */
    void clear() {
        EventLoopConnections.TrackedConnection tracked = connection;
        if (tracked != null) {
            tracked.cut();
        }
    }
}
