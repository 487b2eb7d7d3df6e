// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import io.netty.util.AttributeKey;
import org.jspecify.annotations.Nullable;

/** The place that a connection has among all that there may be. */
final class Seat {
    /** Where a connection's own is kept. */
    static final AttributeKey<Seat> OF = AttributeKey.valueOf(Seat.class, "seat");

    private final AddressAccount account;
    private volatile LoopConnections.@Nullable Watched connection;

    Seat(AddressAccount account) {
        this.account = account;
    }

    AddressAccount account() {
        return account;
    }

    /** The connection is ready to be read. */
    void taken(LoopConnections.Watched watched) {
        connection = watched;
    }

    /** Whether it can be given to another connection: not while it is being set up. */
    boolean canBeCleared() {
        return connection != null;
    }

    /** Whether a request is being worked on. */
    boolean isWorking() {
        LoopConnections.Watched watched = connection;
        return watched != null && watched.isWorking();
    }

    /** Closes its connection. */
    void clear() {
        LoopConnections.Watched watched = connection;
        if (watched != null) {
            watched.cut();
        }
    }
}
