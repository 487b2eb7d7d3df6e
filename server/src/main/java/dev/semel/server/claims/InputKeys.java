// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.claim.AliasedKey;
import dev.semel.content.json.Json;
import dev.semel.content.json.JsonObject;

/** Derives the key of a claim from what the operation is given. */
public interface InputKeys {
    /** The same for equal inputs, and only for those; tells nothing about them to whoever lacks the secret. */
    AliasedKey keyOf(String tenant, String scope, Json inputs);

    /** The inputs with the hash of what a user wrote, whose white space is normalised first. */
    JsonObject withUserText(JsonObject inputs, String userText);
}
