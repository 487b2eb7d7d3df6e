// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import io.netty.channel.ChannelFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.vertx.core.impl.transports.NioTransport;
import io.vertx.core.transport.Transport;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An NIO transport that closes connections beyond the limit as soon as they are accepted.
 *
 * <p>Without it, Vert.x would first create a pipeline of several kilobytes and assign an event loop. Thousands of
 * excess connections could then wait there to be refused.
 */
public final class ConnectionLimitTransport extends NioTransport implements Transport {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionLimitTransport.class);

    private final ClientAddresses addresses;

    public ConnectionLimitTransport(ClientAddresses addresses) {
        this.addresses = addresses;
    }

    @Override
    public String name() {
        return "nio";
    }

    @Override
    public boolean available() {
        return true;
    }

    @Override
    public @Nullable Throwable unavailabilityCause() {
        return null;
    }

    @Override
    public io.vertx.core.spi.transport.Transport implementation() {
        return this;
    }

    @Override
    public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
        return domainSocket ? super.serverChannelFactory(true) : () -> new LimitedServerChannel(addresses);
    }

    private static final class LimitedServerChannel extends NioServerSocketChannel {
        private final ClientAddresses addresses;

        LimitedServerChannel(ClientAddresses addresses) {
            this.addresses = addresses;
        }

        @Override
        protected int doReadMessages(List<Object> accepted) throws Exception {
            int count = super.doReadMessages(accepted);
            int last = accepted.size() - 1;
            if (count > 0 && accepted.get(last) instanceof NioSocketChannel client && !isAccepted(client)) {
                accepted.remove(last);
                client.unsafe().closeForcibly();
            }
            return count;
        }

        /** Returns whether to keep the connection. It never throws, because Netty would stop listening permanently. */
        private boolean isAccepted(NioSocketChannel client) {
            try {
                return addresses.accept(client);
            } catch (RuntimeException e) {
                LOG.atError().setCause(e).log("Accepting a connection failed; the connection was closed");
                return false;
            }
        }
    }
}
