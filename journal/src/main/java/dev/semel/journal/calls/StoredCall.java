// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.calls;

import dev.semel.payload.json.Json;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A stored call event.
 *
 * @param verified whether its signature was verified
 * @param createdAt the time of writing, by the database's clock
 */
public record StoredCall(
        UUID id, String siteId, @Nullable String signatureHash, boolean verified, Json body, Instant createdAt) {}
