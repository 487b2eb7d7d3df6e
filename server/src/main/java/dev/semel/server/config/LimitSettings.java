// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.time.Duration;

/**
 * A limit on everything that a client sends.
 *
 * @param bodyBytes the largest body of a request
 * @param memoryBytes how much memory all requests may hold together: bodies, what is parsed from them, and answers
 * @param addressBytes how much of it the clients behind one address may hold
 * @param headerBytes the largest sum of a request's headers
 * @param headerLines how many header lines a request may have
 * @param uriBytes the longest first line of a request
 * @param headersWithin how long a new connection may take to send its first headers
 * @param bodyWithin how long a body may take
 * @param idle how long a connection may stay without a request
 * @param connections how many connections there may be
 * @param connectionsPerAddress how many of them may come from one address
 * @param newKeysPerSecond how many new keys a tenant may claim a second, over time
 * @param newKeysAtOnce how many it may claim at once after a rest
 * @param newBytesPerSecond how many bytes a tenant may make us store a second, over time
 * @param newBytesAtOnce how many it may make us store at once after a rest
 * @param ttl the longest time that a client or a setting may choose for what is kept
 */
public record LimitSettings(
        int bodyBytes,
        long memoryBytes,
        long addressBytes,
        int headerBytes,
        int headerLines,
        int uriBytes,
        Duration headersWithin,
        Duration bodyWithin,
        Duration idle,
        int connections,
        int connectionsPerAddress,
        int newKeysPerSecond,
        int newKeysAtOnce,
        int newBytesPerSecond,
        int newBytesAtOnce,
        Duration ttl) {

    /** No time-to-live may be set shorter than the usual one. */
    private static final int SHORTEST_TTL_HOURS = 24;

    /** A connection with the largest head takes about as much of the heap. */
    private static final int BYTES_OF_A_CONNECTION = 48 << 10;

    static LimitSettings read(SettingsSection section) {
        long heap = Runtime.getRuntime().maxMemory();
        int perSecond = section.value("new_keys_per_second")
                .map(value -> value.whole(1, 10_000_000))
                .orElse(50_000);
        int bytesPerSecond = section.value("new_bytes_per_second")
                .map(value -> value.whole(1, Integer.MAX_VALUE))
                .orElse(16 << 20);
        int bodyBytes = section.value("body_bytes")
                .map(value -> value.whole(1_024, 16 << 20))
                .orElse(1 << 20);
        long memoryBytes = section.value("memory_bytes")
                .map(value -> withinHeap(value, heap))
                .orElse(Math.min(Math.max(8L * bodyBytes, heap / 4), heap / 2));
        int connections = section.value("connections")
                .map(value -> value.whole(1, 1_000_000))
                .orElse((int) Math.min(10_000, Math.max(64, heap / 8 / BYTES_OF_A_CONNECTION)));
        LimitSettings limits = new LimitSettings(
                bodyBytes,
                memoryBytes,
                section.value("address_bytes")
                        .map(value -> value.whole(16_384L, memoryBytes))
                        .orElse(memoryBytes / 2),
                section.value("header_bytes")
                        .map(value -> value.whole(1_024, 1 << 20))
                        .orElse(16_384),
                section.value("header_lines")
                        .map(value -> value.whole(16, 1_000))
                        .orElse(128),
                section.value("uri_bytes")
                        .map(value -> value.whole(256, 65_536))
                        .orElse(8_192),
                section.value("headers_seconds")
                        .map(value -> value.seconds(1, 600))
                        .orElse(Duration.ofSeconds(10)),
                section.value("body_seconds")
                        .map(value -> value.seconds(1, 3_600))
                        .orElse(Duration.ofSeconds(30)),
                section.value("idle_seconds")
                        .map(value -> value.seconds(1, 3_600))
                        .orElse(Duration.ofSeconds(60)),
                connections,
                section.value("connections_per_address")
                        .map(value -> value.whole(1, 1_000_000))
                        .orElse(Math.max(1, connections / 2)),
                perSecond,
                section.value("new_keys_at_once")
                        .map(value -> value.whole(1, 10_000_000))
                        .orElse(2 * perSecond),
                bytesPerSecond,
                section.value("new_bytes_at_once")
                        .map(value -> value.whole(1_024, Integer.MAX_VALUE))
                        .orElse((int) Math.max(1_024, Math.min(16L * bytesPerSecond, Integer.MAX_VALUE))),
                section.value("ttl_hours")
                        .map(value -> Duration.ofHours(value.whole(SHORTEST_TTL_HOURS, 876_000)))
                        .orElse(Duration.ofHours(8_784)));
        section.done();
        return limits;
    }

    /** A budget that the heap cannot hold would be none. */
    private static long withinHeap(SettingValue value, long heap) {
        long bytes = value.whole(16_384L, Long.MAX_VALUE);
        if (bytes > heap / 2) {
            throw value.wrong("must be at most %d, half of the heap: lower it, or raise -Xmx by SEMEL_JAVA_OPTS"
                    .formatted(heap / 2));
        }
        return bytes;
    }
}
