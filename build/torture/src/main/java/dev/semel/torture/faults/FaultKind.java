// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.faults;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** What can go wrong. */
public enum FaultKind {
    /** A worker is killed with SIGKILL, and another one takes its place. */
    KILL,
    /** A worker stands still, often for longer than a lease. */
    PAUSE,
    /** A worker's connections transmit nothing any more, in one direction or both. Nobody is told. */
    SILENCE,
    /** A worker's connections are slow for a while. */
    DELAY,
    /** A worker's connections are closed. */
    CUT,
    /** Statements arrive, but their answers are lost and the connection is closed. */
    LOST_ANSWER,
    /** A worker vanishes like a host without power: it is killed, and the database sees no end of its connections. */
    VANISH,
    /** The database ends a session. */
    SESSION,
    /** Somebody else locks claims, or the whole file on SQLite. */
    LOCK,
    /** The database server is killed with SIGKILL and restarted on its data. */
    DATABASE,
    /** The database server stands still for a while, as on a disk that does not answer. Its connections stay open. */
    STALL,
    /** A node of a cluster and the others do not reach each other for a while, often until the others remove it. */
    PARTITION,
    /** The file system of the database is full for a while. Needs the right to mount one. */
    DISK_FULL,
    /** The controller empties the Redis server of the shared cache, or kills and restarts it. */
    REDIS,
    /** The clocks of the processes are an hour apart. The engine reads none; the gate of webhooks does. */
    CLOCK,
    /** Pools hand out connections in the wrong state. */
    DIRTY_POOL,
    /** The service answers that it is too busy. */
    THROTTLE,
    /** The service refuses writes because of a transaction about the same item. */
    CONFLICT,
    /** The service answers that it failed, or not at all, with and without an effect. */
    SERVER_ERROR,
    /** The service answers seconds late. */
    SLOW_ANSWER,
    /** The service answers with a date that is about an hour wrong, or without one. */
    WRONG_DATE,
    /** Requests arrive twice. */
    DUPLICATE;

    private static final Set<FaultKind> OF_SERVICE =
            EnumSet.of(THROTTLE, CONFLICT, SERVER_ERROR, SLOW_ANSWER, WRONG_DATE, DUPLICATE);

    /** Whether it happens to a service over HTTP only. */
    public boolean isOfService() {
        return OF_SERVICE.contains(this);
    }

    /** As the command line spells it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Parses names separated by commas, {@code all} or {@code none}. */
    public static Set<FaultKind> parse(String names) {
        if (names.equals("none")) {
            return EnumSet.noneOf(FaultKind.class);
        }
        if (names.equals("all")) {
            return EnumSet.allOf(FaultKind.class);
        }
        EnumSet<FaultKind> kinds = EnumSet.noneOf(FaultKind.class);
        for (String name : names.split(",", -1)) {
            kinds.add(Arrays.stream(values())
                    .filter(kind -> kind.text().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "There is no fault '%s'; use none, all, or some of %s".formatted(name, all()))));
        }
        return kinds;
    }

    private static String all() {
        return Arrays.stream(values()).map(FaultKind::text).collect(Collectors.joining(","));
    }

    /** The form that {@link #parse} reads. */
    public static String format(Set<FaultKind> kinds) {
        return kinds.isEmpty() ? "none" : kinds.stream().map(FaultKind::text).collect(Collectors.joining(","));
    }
}
