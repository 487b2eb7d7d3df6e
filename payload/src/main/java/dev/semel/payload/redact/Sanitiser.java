// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.redact;

import dev.semel.payload.json.Json;
import java.util.Optional;

/** Makes of a result what may be stored in the clear. */
public sealed interface Sanitiser permits AllowList, Redaction {
    /** What may be stored; empty if nothing of it may. */
    Optional<Json> sanitised(Json json);

    /** As {@link #sanitised}, of text that has no structure. */
    Optional<String> sanitisedText(String text);
}
