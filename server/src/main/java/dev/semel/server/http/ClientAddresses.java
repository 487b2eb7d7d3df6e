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
 * Who is connected, by address. An IPv6 client is known by the first 64 bits, because it can choose the others. When all
 * places are taken, an address with few connections gets the place of one with many, so that nobody can occupy the server
 * alone.
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

    /** The account of this address, which must be {@linkplain #leave left} once. */
    AddressAccount enter(@Nullable String address) {
        // By the whole address: a proxy is one of many in its network, and others there are not trusted with it.
        boolean trustedProxy = address != null && isTrusted(address);
        String client = address == null ? "" : trustedProxy ? address : AddressRange.client(address);
        return Objects.requireNonNull(accounts.compute(
                client, (name, known) -> (known == null ? new AddressAccount(name, !trustedProxy) : known).used()));
    }

    void leave(AddressAccount account) {
        if (!account.leftByOneOfMany()) {
            accounts.computeIfPresent(account.address(), (name, known) -> known.leftByTheLast() ? null : known);
        }
    }

    /**
     * The account that a request is charged to: its connection's own, or, behind a trusted proxy, that of the client which
     * the proxy names. It must be left once in either case.
     */
    AddressAccount enterFor(AddressAccount connection, HttpServerRequest request) {
        return connection.bounded()
                ? connection.used()
                : enter(forwarded(request).orElse(connection.address()));
    }

    /** The last address in the header that is no trusted proxy: what stands before it is the client's own word. */
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

    /** Whether a connection may come in, which has its {@link ConnectionSlot} then until it ends. */
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

    /** Takes a place, if need be that of an address with more of them. */
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
        List<ConnectionSlot> seats = heaviest.get().connections().stream()
                .filter(ConnectionSlot::canBeCleared)
                .toList();
        Optional<ConnectionSlot> cleared = seats.stream()
                .filter(slot -> !slot.isWorking())
                .findFirst()
                .or(() -> seats.stream().findFirst());
        // It counts as ended from now on, so that the next one finds another.
        cleared.ifPresent(slot -> {
            ended(slot);
            slot.clear();
        });
        return cleared.isPresent();
    }
}
