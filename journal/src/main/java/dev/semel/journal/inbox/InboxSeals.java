// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.Fingerprint;
import dev.semel.key.Secrets;
import dev.semel.payload.Body;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonException;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.payload.seal.SealException;
import dev.semel.payload.seal.Sealer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts and decrypts the headers and the body of an event, with the tenant's key. The ciphertext is bound to the event's id and
 * to its column: copied to another row or column, it cannot be decrypted.
 */
final class InboxSeals {
    private static final String HEADERS = "semel/inbox-headers";
    private static final String BODY = "semel/inbox-body";

    private final Sealer sealer;

    InboxSeals(Secrets secrets) {
        this.sealer = new Sealer(secrets);
    }

    byte[] body(String tenant, UUID id, Body body) {
        return sealer.seal(bindingOf(tenant, id), BODY, body.bytes());
    }

    byte @Nullable [] headers(String tenant, UUID id, Map<String, String> headers) {
        if (headers.isEmpty()) {
            return null;
        }
        Map<String, Json> members = new LinkedHashMap<>();
        headers.forEach((name, value) -> members.put(name, new JsonString(value)));
        return sealer.seal(bindingOf(tenant, id), HEADERS, new JsonObject(members).utf8());
    }

    /** Content that cannot be decrypted is reported for this event only, so that other events can still be read. */
    InboxContent open(String tenant, UUID id, String contentType, byte @Nullable [] headers, byte[] body) {
        ClaimRef binding = bindingOf(tenant, id);
        try {
            byte[] opened = sealer.open(binding, BODY, body);
            Map<String, String> openedHeaders =
                    headers == null ? Map.of() : read(sealer.open(binding, HEADERS, headers));
            return new InboxContent.Opened(new Body(contentType, opened), openedHeaders);
        } catch (SealException e) {
            return new InboxContent.Unopened(e.reason());
        } catch (JsonException e) {
            return new InboxContent.Unopened(SealException.Reason.UNREADABLE);
        }
    }

    private static Map<String, String> read(byte[] text) {
        Map<String, String> headers = new LinkedHashMap<>();
        if (Json.parse(text) instanceof JsonObject object) {
            object.members().forEach((name, value) -> {
                if (value instanceof JsonString held) {
                    headers.put(name, held.value());
                }
            });
        }
        return headers;
    }

    private static ClaimRef bindingOf(String tenant, UUID id) {
        return new ClaimRef(
                tenant,
                new Digest(
                        Fingerprint.of("webhook-inbox", tenant, id.toString()).bytes()));
    }
}
