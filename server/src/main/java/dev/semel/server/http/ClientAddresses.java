// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.server.config.AddressRange;
import dev.semel.server.config.LimitSettings;
import io.netty.channel.Channel;
import io.vertx.core.http.HttpServerRequest;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Tracks connected clients by address and limits their connections.
 *
 * <p>An IPv6 client is identified by its first 64 bits, because it can choose the rest. When all slots are in use, a
 * new connection from an address with few connections replaces one of the address with the most. No single address can
 * occupy the server.
 */
public final class ClientAddresses {
    private static final String FORWARDED_FOR = "X-Forwarded-For";

    /** A proxy adds one entry to the header. More hops than this are not followed. */
    private static final int MAX_HOPS = 32;

    private final int maxConnections;
    private final int maxOfAnAddress;
    private final List<AddressRange> trusted;
    private final AtomicInteger open = new AtomicInteger();
    private final LimitLog perAddress = new LimitLog("limits.connections_per_address");
    private final LimitLog all = new LimitLog("limits.connections");
    private final ConcurrentHashMap<String, AddressAccount> accounts = new ConcurrentHashMap<>();

    public ClientAddresses(LimitSettings limits, List<AddressRange> trusted) {
        this.maxConnections = limits.connections();
        this.maxOfAnAddress = limits.connectionsPerAddress();
        this.trusted = List.copyOf(trusted);
    }

    /** Returns the account of this address. The caller must {@linkplain #leave leave} it exactly once. */
    AddressAccount enter(@Nullable String address) {
        // Compare the whole address. Other hosts in the proxy's network are not trusted.
        boolean trustedProxy = address != null && isTrusted(address);
        String client = address == null ? "" : trustedProxy ? address : AddressRange.client(address);
        return Objects.requireNonNull(accounts.compute(
                client, (name, known) -> (known == null ? new AddressAccount(name, !trustedProxy) : known).addUser()));
    }

    void leave(AddressAccount account) {
        if (!account.releaseUnlessLast()) {
            accounts.computeIfPresent(account.address(), (name, known) -> known.releaseAndCheckLast() ? null : known);
        }
    }

    /**
     * Returns the account that a request is charged to. This is the connection's own account or, behind a trusted
     * proxy, the account of the client that the proxy reports. The caller must leave it exactly once in either case.
     */
    AddressAccount enterFor(AddressAccount connection, HttpServerRequest request) {
        return connection.bounded()
                ? connection.addUser()
                : enter(forwarded(request).orElse(connection.address()));
    }

    /** Returns the last address in the header that is not a trusted proxy. Clients can forge the entries before it. */
    private Optional<String> forwarded(HttpServerRequest request) {
        List<String> hops = new ArrayList<>();
        for (String value : request.headers().getAll(FORWARDED_FOR)) {
            for (String hop : value.split(",", MAX_HOPS + 1)) {
                hops.add(hop.strip());
            }
        }
        for (int i = hops.size() - 1; i >= Math.max(0, hops.size() - MAX_HOPS); i--) {
            Optional<String> hop = AddressRange.literal(hops.get(i));
            if (hop.isEmpty()) {
                return Optional.empty();
            }
            if (!isTrusted(hop.get())) {
                return hop;
            }
        }
        return Optional.empty();
    }

    private boolean isTrusted(String address) {
        for (AddressRange range : trusted) {
            if (range.contains(address)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether a connection is accepted. An accepted connection holds a {@link ConnectionSlot} until it ends.
     */
    boolean accept(Channel client) {
        InetSocketAddress remote = (InetSocketAddress) client.remoteAddress();
        AddressAccount account =
                enter(remote == null ? null : remote.getAddress().getHostAddress());
        ConnectionSlot slot = new ConnectionSlot(account);
        if (!admit(slot)) {
            leave(account);
            return false;
        }
        client.attr(ConnectionSlot.OF).set(slot);
        client.closeFuture().addListener(closed -> {
            ended(slot);
            leave(account);
        });
        return true;
    }

    /** Takes a slot. If none is free, takes one from an address with more connections. */
    private boolean admit(ConnectionSlot slot) {
        AddressAccount account = slot.account();
        if (account.bounded() && account.connections().size() >= maxOfAnAddress) {
            perAddress.reached();
            return false;
        }
        if (open.incrementAndGet() > maxConnections) {
            all.reached();
            if (!makeRoom(account)) {
                open.decrementAndGet();
                return false;
            }
        }
        account.connections().add(slot);
        return true;
    }

    private void ended(ConnectionSlot slot) {
        if (slot.account().connections().remove(slot)) {
            open.decrementAndGet();
        }
    }

    private boolean makeRoom(AddressAccount account) {
        Optional<AddressAccount> heaviest = accounts.values().stream()
                .filter(AddressAccount::bounded)
                .max(Comparator.comparingInt(one -> one.connections().size()));
        if (heaviest.isEmpty()
                || heaviest.get().connections().size() <= account.connections().size() + 1) {
            return false;
        }
        List<ConnectionSlot> slots = heaviest.get().connections().stream()
                .filter(ConnectionSlot::canBeReplaced)
                .toList();
        Optional<ConnectionSlot> cleared = slots.stream()
                .filter(slot -> !slot.isWorking())
                .findFirst()
                .or(() -> slots.stream().findFirst());
        // Count it as ended now, so that the next caller picks another connection.
        cleared.ifPresent(slot -> {
            ended(slot);
            slot.closeConnection();
        });
        return cleared.isPresent();
    }
}
