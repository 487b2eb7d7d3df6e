// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A request that was authenticated and whose body is here.
 *
 * @param path as it was sent, without the query
 * @param query as it was sent; empty if there is none
 * @param mediaType as in Content-Type; empty if there is none
 * @param body not copied: it is not changed any more
 * @param tenant whose request it is; no tenant sees another's answers
 * @param actor who of the tenant sent it; no actor sees another's answers
 * @param credential a digest of what authenticates the client, where nothing else tells clients apart; else empty. It is
 *     part of the key and is not stored
 * @param key as {@link IdempotencyKey} read it; empty where it is derived
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
        Objects.requireNonNull(query, "A query must not be null: it may be empty");
        Objects.requireNonNull(mediaType, "A media type must not be null: it may be empty");
        Objects.requireNonNull(body, "A body must not be null: an empty one has no bytes");
        Objects.requireNonNull(tenant, "A tenant must not be null");
        Objects.requireNonNull(actor, "An actor must not be null");
        Objects.requireNonNull(credential, "A credential must not be null: it may be empty");
        Objects.requireNonNull(key, "A key must not be null: it may be empty");
        prefer = List.copyOf(prefer);
    }

    /** Method and size only: the rest may be anybody's secret. */
    @Override
    public String toString() {
        return "ApiRequest[%s, %d bytes]".formatted(method, body.length);
    }
}
