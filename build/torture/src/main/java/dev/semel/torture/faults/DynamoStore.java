// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.faults;

import dev.semel.testservers.DynamoFault;
import dev.semel.testservers.DynamoFaultProxy;
import dev.semel.testservers.DynamoServer;
import dev.semel.torture.work.DynamoClients;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * DynamoDB Local with its data in files, behind three front ends: a worker uses one of them. They fail as the service does. If clocks
 * are to be wrong, those of the front ends are hours behind the clock of the workers, and differ from each other by less than the two
 * seconds that the store allows.
 */
public final class DynamoStore implements TortureStore {
    private static final Set<FaultKind> FAULTS = EnumSet.of(
            FaultKind.KILL,
            FaultKind.PAUSE,
            FaultKind.SILENCE,
            FaultKind.DELAY,
            FaultKind.CUT,
            FaultKind.LOST_ANSWER,
            FaultKind.VANISH,
            FaultKind.DATABASE,
            FaultKind.STALL,
            FaultKind.REDIS,
            FaultKind.CLOCK);

    private static final int FRONT_ENDS = 3;
    private static final Duration BEHIND = Duration.ofHours(-3);
    private static final Duration APART = Duration.ofMillis(950);

    private final Optional<SmallDisk> disk;
    private final DynamoServer server;
    private final List<DynamoFaultProxy> frontEnds = new ArrayList<>();

    /**
     * DynamoDB Local with its files on this disk, or in a temporary folder.
     *
     * @param clocks whether the clocks are wrong
     */
    public DynamoStore(Optional<SmallDisk> disk, boolean clocks) throws IOException {
        this.disk = disk;
        this.server = disk.isPresent() ? DynamoServer.startIn(disk.get().path()) : DynamoServer.start();
        for (int i = 0; i < FRONT_ENDS; i++) {
            Duration clock = clocks ? BEHIND.plus(APART.multipliedBy(i - 1)) : Duration.ZERO;
            frontEnds.add(new DynamoFaultProxy(server.port(), clock));
        }
    }

    @Override
    public String name() {
        return "dynamodb";
    }

    @Override
    public String url(int port) {
        return DynamoClients.url(port);
    }

    @Override
    public int port() {
        return server.port();
    }

    @Override
    public int port(int worker) {
        return frontEnds.get(worker % FRONT_ENDS).port();
    }

    @Override
    public boolean hasSql() {
        return false;
    }

    @Override
    public Connection connect() throws SQLException {
        throw new SQLException("DynamoDB has no SQL");
    }

    @Override
    public void crash() {
        server.kill();
        server.restart();
    }

    @Override
    public void stall(Duration duration) throws InterruptedException {
        server.suspend();
        try {
            Thread.sleep(duration.toMillis());
        } finally {
            server.resume();
        }
    }

    @Override
    public void misbehave(FaultKind kind, int percent, Duration duration) {
        for (DynamoFault fault : faultsOf(kind)) {
            frontEnds.forEach(frontEnd -> frontEnd.inject(fault, percent, duration));
        }
    }

    private static Set<DynamoFault> faultsOf(FaultKind kind) {
        return switch (kind) {
            case THROTTLE -> EnumSet.of(DynamoFault.THROTTLED);
            case CONFLICT -> EnumSet.of(DynamoFault.CONFLICT);
            case SERVER_ERROR -> EnumSet.of(DynamoFault.ERROR_BEFORE, DynamoFault.ERROR_AFTER, DynamoFault.NO_ANSWER);
            case SLOW_ANSWER -> EnumSet.of(DynamoFault.SLOW);
            case WRONG_DATE -> EnumSet.of(DynamoFault.WRONG_DATE);
            case DUPLICATE -> EnumSet.of(DynamoFault.TWICE);
            default -> throw new IllegalArgumentException("Not a fault of the service: " + kind);
        };
    }

    /** How many requests were affected in this way. */
    public long struck(DynamoFault fault) {
        return frontEnds.stream().mapToLong(frontEnd -> frontEnd.struck(fault)).sum();
    }

    @Override
    public void heal() {
        frontEnds.forEach(DynamoFaultProxy::heal);
    }

    @Override
    public boolean can(FaultKind kind) {
        return FAULTS.contains(kind) || kind.isOfService();
    }

    @Override
    public FinalState finalState() {
        return new FinalItems(server.port());
    }

    @Override
    public void close() throws IOException {
        for (DynamoFaultProxy frontEnd : frontEnds) {
            frontEnd.close();
        }
        server.close();
        if (disk.isPresent()) {
            disk.get().close();
        }
    }
}
