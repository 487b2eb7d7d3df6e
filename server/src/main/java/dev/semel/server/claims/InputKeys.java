// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.content.json.Json;
import java.util.Optional;

/** Derives the key of a claim from what the operation is given. */
public interface InputKeys {
    /**
     * The same for equal inputs, and only for those; tells nothing about them to whoever lacks the secret.
     *
     * @param userText what a user wrote, which is normalised and hashed
     */
    String keyOf(String tenant, Json inputs, Optional<String> userText);
}
