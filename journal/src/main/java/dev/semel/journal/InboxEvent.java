// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event that is in the inbox.
 *
 * @param eventType what the provider calls this kind of event, if it said so
 * @param keyPrefix what may be shown of its key (a word such as {@code ev_}), then the first characters of its claim's digest
 * @param verified whether its signature was checked
 * @param payloadHash SHA-256 of its body, in hexadecimal
 * @param receivedAt by the database's clock
 * @param ackedAt when a consumer said that it is done with it; null until then
 * @param ackedBy who said so
 */
public record InboxEvent(
        UUID id,
        String tenant,
        String provider,
        @Nullable String eventType,
        String keyPrefix,
        boolean verified,
        String payloadHash,
        Instant receivedAt,
        @Nullable Instant ackedAt,
        @Nullable String ackedBy,
        InboxContent content) {}
