// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

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
 * Seals what an event holds, by the tenant's key, and opens it again. It is bound to the event's id and to its place:
 * copied to another row or into the other column it does not open.
 */
final class InboxSeals {
    private static final String HEADERS = "semel/inbox-headers";
    private static final String BODY = "semel/inbox-body";

    private final Sealer sealer;

    InboxSeals(Secrets secrets) {
        this.sealer = new Sealer(secrets);
    }

    byte[] body(String tenant, UUID id, Body body) {
        return sealer.seal(record(tenant, id), BODY, body.bytes());
    }

    byte @Nullable [] headers(String tenant, UUID id, Map<String, String> headers) {
        if (headers.isEmpty()) {
            return null;
        }
        Map<String, Json> members = new LinkedHashMap<>();
        headers.forEach((name, value) -> members.put(name, new JsonString(value)));
        return sealer.seal(record(tenant, id), HEADERS, new JsonObject(members).utf8());
    }

    /** What cannot be opened is said of this event alone: others can still be read. */
    InboxContent open(String tenant, UUID id, String contentType, byte @Nullable [] headers, byte[] body) {
        ClaimRef record = record(tenant, id);
        try {
            byte[] opened = sealer.open(record, BODY, body);
            Map<String, String> names = headers == null ? Map.of() : read(sealer.open(record, HEADERS, headers));
            return new InboxContent.Opened(new Body(contentType, opened), names);
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

    private static ClaimRef record(String tenant, UUID id) {
        return new ClaimRef(
                tenant,
                new Digest(
                        Fingerprint.of("webhook-inbox", tenant, id.toString()).bytes()));
    }
}
