// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.time.Duration;

/**
 * A limit on everything that a client sends.
 *
 * @param bodyBytes the largest body of a request
 * @param allBodiesBytes how much all bodies that are being read may take together
 * @param headerBytes the largest sum of a request's headers
 * @param uriBytes the longest first line of a request
 * @param headersWithin how long a new connection may take to send its first headers
 * @param bodyWithin how long a body may take
 * @param idle how long a connection may stay without a request
 * @param connections how many connections there may be
 * @param newKeysPerSecond how many new keys a tenant may claim a second, over time
 * @param newKeysAtOnce how many it may claim at once after a rest
 */
public record LimitSettings(
        int bodyBytes,
        long allBodiesBytes,
        int headerBytes,
        int uriBytes,
        Duration headersWithin,
        Duration bodyWithin,
        Duration idle,
        int connections,
        int newKeysPerSecond,
        int newKeysAtOnce) {

    static LimitSettings read(Section section) {
        int perSecond = section.value("new_keys_per_second")
                .map(value -> value.whole(1, 10_000_000))
                .orElse(50_000);
        int bodyBytes = section.value("body_bytes")
                .map(value -> value.whole(1_024, 16 << 20))
                .orElse(1 << 20);
        LimitSettings limits = new LimitSettings(
                bodyBytes,
                section.value("all_bodies_bytes")
                        .map(value -> (long) value.whole(1_024, Integer.MAX_VALUE))
                        .orElse(Math.max(2L * bodyBytes, Runtime.getRuntime().maxMemory() / 8)),
                section.value("header_bytes")
                        .map(value -> value.whole(1_024, 1 << 20))
                        .orElse(16_384),
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
                section.value("connections")
                        .map(value -> value.whole(1, 1_000_000))
                        .orElse(10_000),
                perSecond,
                section.value("new_keys_at_once")
                        .map(value -> value.whole(1, 10_000_000))
                        .orElse(2 * perSecond));
        section.done();
        return limits;
    }
}
