// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.benchmarks.Paired.Effort;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** All benchmarks: what each compares, how long it takes, and when it runs. */
final class Catalog {
    static final List<Entry> ALL = List.of(
            new Entry(
                    new PostgresClaims(),
                    When.ALWAYS,
                    new Cost(5, 3, 4, 2),
                    "64 and 256 callers, against raw SQL; CPU"),
            new Entry(new PostgresPeers(), When.ALWAYS, new Cost(8, 3, 4, 3), "against other Java libraries"),
            new Entry(new PostgresSingle(), When.ALWAYS, new Cost(4, 1, 2, 0), "one caller, against raw SQL"),
            new Entry(
                    new PostgresDuplicates(),
                    When.ALWAYS,
                    new Cost(15, 2, 3, 1),
                    "90 % duplicates with and without the cache, against raw SQL"),
            new Entry(
                    new PostgresTransactionsBench(),
                    When.ALWAYS,
                    new Cost(5, 2, 4, 1),
                    "key and effect in one transaction, grouped and alone, against raw SQL"),
            new Entry(MariaDbClaims.onMariaDb(), When.ALWAYS, new Cost(8, 2, 3, 1), "MariaDB, against raw SQL"),
            new Entry(
                    new HttpLatency(),
                    When.ALWAYS,
                    new Cost(12, 3, 6, 0),
                    "the server at half of its highest rate: p50, p99, p999, batch sizes"),
            new Entry(
                    new PostgresRows(),
                    When.IF_ALL,
                    new Cost(6, 0, 3, 0),
                    "log, index blocks, HOT share, row size a claim"),
            new Entry(
                    EngineCosts.ofAll(),
                    When.IF_ALL,
                    new Cost(15, 0, 6, 0),
                    "round trips and bytes of the log for a claim, on each database"),
            new Entry(new MetricsCost(), When.IF_ALL, new Cost(5, 10, 4, 0), "CPU of metrics"),
            new Entry(new SqliteClaims(), When.IF_ALL, new Cost(2, 1, 2, 0), "SQLite, against one commit a call"),
            new Entry(
                    new HttpLedger(),
                    When.IF_ALL,
                    new Cost(10, 2, 9, 1),
                    "the server's ledger, single events and batches, against a JDBC loop"),
            new Entry(new HttpClaims(), When.IF_ALL, new Cost(10, 1, 6, 1), "the server's claims, against raw SQL"),
            new Entry(
                    new HttpDuplicates(),
                    When.IF_ALL,
                    new Cost(15, 2, 12, 0),
                    "the server's duplicates, against a handler of constant bytes"),
            new Entry(
                    new HttpWebhooks(),
                    When.IF_ALL,
                    new Cost(12, 2, 9, 1),
                    "the server's webhooks, against a JDBC loop"),
            new Entry(new HttpProxy(), When.IF_ALL, new Cost(25, 6, 36, 0), "the proxy, against the service alone"),
            new Entry(new HttpFilter(), When.IF_ALL, new Cost(15, 15, 18, 0), "CPU of the servlet filter"),
            new Entry(new HttpStart(), When.IF_ALL, new Cost(12, 0, 0, 0), "the time until the server is ready"),
            new Entry(
                    new HttpMemory(),
                    When.IF_ALL,
                    new Cost(60, 0, 0, 0),
                    "the server's memory after a million requests"),
            new Entry(
                    new PostgresSweepBench(),
                    When.LARGE,
                    new Cost(600, 0, 1, 0),
                    "a sweep of a million rows, while callers claim"),
            new Entry(
                    new PostgresLarge(), When.LARGE, new Cost(420, 1, 4, 0), "ten million rows, against ten thousand"),
            new Entry(
                    MariaDbClaims.onMySql(),
                    When.IF_NAMED,
                    new Cost(15, 2, 3, 1),
                    "MySQL, against raw SQL; the profile mysql downloads it"),
            new Entry(EngineCosts.ofMySql(), When.IF_NAMED, new Cost(15, 0, 3, 0), "the same as costs, on MySQL"));

    private Catalog() {}

    /** A line for each benchmark. */
    static String lines(When when) {
        return ALL.stream()
                .filter(entry -> entry.when() == when)
                .map(entry -> String.format(
                        Locale.ROOT,
                        "    %-16s %s, %s",
                        entry.name(),
                        entry.what(),
                        minutes(entry.expected(Effort.USUAL))))
                .collect(Collectors.joining("\n"));
    }

    static Duration expected(List<Entry> entries, Effort effort) {
        return entries.stream().map(entry -> entry.expected(effort)).reduce(Duration.ZERO, Duration::plus);
    }

    static String minutes(Duration duration) {
        return duration.toSeconds() < 90
                ? duration.toSeconds() + " s"
                : Math.round(duration.toSeconds() / 60.0) + " min";
    }

    /** When a benchmark runs if none is named. */
    enum When {
        ALWAYS,
        IF_ALL,
        LARGE,
        IF_NAMED
    }

    record Entry(Benchmark benchmark, When when, Cost cost, String what) {
        String name() {
            return benchmark.name();
        }

        Duration expected(Effort effort) {
            return cost.at(effort);
        }
    }
}
