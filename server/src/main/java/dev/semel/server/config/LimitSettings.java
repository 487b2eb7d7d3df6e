// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.time.Duration;

/**
 * The limits on what clients send.
 *
 * @param bodyBytes maximum size of a request body
 * @param memoryBytes maximum memory of all requests together: bodies, parsed values and responses
 * @param addressBytes maximum share of that memory for the clients behind one address
 * @param headerBytes maximum total size of a request's headers
 * @param headerLines maximum number of header lines of a request
 * @param uriBytes maximum length of the request line
 * @param headersWithin time limit for the first headers of a new connection
 * @param bodyWithin time limit for a body
 * @param idle time limit for a connection without a request
 * @param connections maximum number of connections
 * @param connectionsPerAddress maximum number of connections from one address
 * @param newKeysPerSecond sustained rate of new keys per tenant
 * @param newKeysAtOnce maximum burst of new keys per tenant
 * @param newBytesPerSecond sustained rate of stored bytes per tenant
 * @param newBytesAtOnce maximum burst of stored bytes per tenant
 * @param ttl maximum retention that a client or a setting may choose
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

    /** The limit on retention must not be below the default retention. */
    private static final int MIN_TTL_HOURS = 24;

    /** Approximate heap size of a connection with the largest head. */
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
                        .map(value -> Duration.ofHours(value.whole(MIN_TTL_HOURS, 876_000)))
                        .orElse(Duration.ofHours(8_784)));
        section.done();
        return limits;
    }

    /** Rejects a budget that does not fit into the heap. */
    private static long withinHeap(SettingValue value, long heap) {
        long bytes = value.whole(16_384L, Long.MAX_VALUE);
        if (bytes > heap / 2) {
            throw value.wrong("must be at most %d, half of the heap: lower it, or raise -Xmx in SEMEL_JAVA_OPTS"
                    .formatted(heap / 2));
        }
        return bytes;
    }
}
