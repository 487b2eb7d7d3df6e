// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * An authenticated request with its complete body.
 *
 * @param path as it was sent, without the query
 * @param query as it was sent, or empty
 * @param mediaType the value of Content-Type, or empty
 * @param body not copied: do not modify it afterwards
 * @param tenant the tenant of the request. A tenant never sees the answers of another.
 * @param actor the sender within the tenant. An actor never sees the answers of another.
 * @param credential a digest of the client's credential if nothing else distinguishes clients, otherwise empty. It is part of
 *     the key and is not stored.
 * @param key the key that {@link IdempotencyKey} has read, or empty if the key is derived from the request
 * @param prefer the values of all {@code Prefer} headers
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record ApiRequest(
        String method,
        String path,
        String query,
        String mediaType,
        byte[] body,
        String tenant,
        String actor,
        String credential,
        Optional<String> key,
        List<String> prefer) {
    public ApiRequest {
        Objects.requireNonNull(method, "A method must not be null");
        Objects.requireNonNull(path, "A path must not be null");
        Objects.requireNonNull(query, "A query must not be null: use an empty string for none");
        Objects.requireNonNull(mediaType, "A media type must not be null: use an empty string for none");
        Objects.requireNonNull(body, "A body must not be null: use an empty array for an empty body");
        Objects.requireNonNull(tenant, "A tenant must not be null");
        Objects.requireNonNull(actor, "An actor must not be null");
        Objects.requireNonNull(credential, "A credential must not be null: use an empty string for none");
        Objects.requireNonNull(key, "A key must not be null: use Optional.empty() for none");
        prefer = List.copyOf(prefer);
    }

    /** Shows method and size only, because the rest may be confidential. */
    @Override
    public String toString() {
        return "ApiRequest[%s, %d bytes]".formatted(method, body.length);
    }
}
