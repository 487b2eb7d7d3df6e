// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.payload.json.Json;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A call event that is stored.
 *
 * @param verified whether its signature was checked
 * @param createdAt by the database's clock
 */
public record StoredCall(
        UUID id, String siteId, @Nullable String signatureHash, boolean verified, Json body, Instant createdAt) {}
