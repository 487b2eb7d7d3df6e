// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.claim.AliasedKey;
import dev.semel.key.Secrets;
import dev.semel.operations.OperationKey;
import dev.semel.operations.UserText;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonObject;

/** Derives the key of a claim from its inputs. Equal inputs give the same key; different inputs give different keys. */
public final class InputKeys {
    private final Secrets secrets;

    public InputKeys(Secrets secrets) {
        this.secrets = secrets;
    }

    AliasedKey keyOf(String tenant, String scope, Json inputs) {
        return OperationKey.of(secrets, tenant, scope, inputs);
    }

    /** Returns the inputs with the hash of the user text added. */
    JsonObject withUserText(JsonObject inputs, String text) {
        return UserText.into(inputs, text);
    }
}
