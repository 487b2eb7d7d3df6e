// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.redact;

import dev.semel.payload.json.Json;
import java.util.Optional;

/** Removes everything from a result that must not be stored unencrypted. */
public sealed interface Sanitiser permits AllowList, Redaction {
    /** The part that may be stored, or empty. */
    Optional<Json> sanitised(Json json);

    /** As {@link #sanitised}, for unstructured text. */
    Optional<String> sanitisedText(String text);
}
