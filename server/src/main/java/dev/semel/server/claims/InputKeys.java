// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.claim.AliasedKey;
import dev.semel.content.json.Json;
import dev.semel.content.json.JsonObject;
import dev.semel.content.json.JsonString;
import dev.semel.key.Secrets;
import dev.semel.operations.OperationKey;
import dev.semel.operations.UserText;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Derives the key of a claim from what the operation is given: the same for equal inputs, and only for those. */
public final class InputKeys {
    private static final String USER_TEXT = "user_text";

    private final Secrets secrets;

    public InputKeys(Secrets secrets) {
        this.secrets = secrets;
    }

    /** @param userText what a user wrote; it is normalised and hashed, also where it stands among the inputs */
    AliasedKey keyOf(String tenant, String scope, Json inputs, Optional<String> userText) {
        if (inputs instanceof JsonObject object && object.members().get(USER_TEXT) instanceof JsonString inside) {
            Map<String, Json> others = new LinkedHashMap<>(object.members());
            others.remove(USER_TEXT);
            return keyOf(tenant, scope, UserText.into(new JsonObject(others), inside.value()), userText);
        }
        Json hashed = inputs;
        if (userText.isPresent()) {
            JsonObject object = inputs instanceof JsonObject already ? already : new JsonObject(Map.of("", inputs));
            hashed = UserText.into(object, userText.get());
        }
        return OperationKey.of(secrets, tenant, scope, hashed);
    }
}
