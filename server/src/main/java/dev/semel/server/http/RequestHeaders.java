// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import io.vertx.core.http.HttpServerRequest;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Strict access to request headers. */
public final class RequestHeaders {
    private RequestHeaders() {}

    /** Returns a header that may be given once. */
    public static Optional<String> single(HttpServerRequest request, CharSequence name) {
        String first = request.headers().get(name);
        if (first == null) {
            return Optional.empty();
        }
        if (request.headers().getAll(name).size() > 1) {
            throw ProblemDetail.of(
                            ProblemType.BAD_REQUEST, "The header %s must not be given more than once".formatted(name))
                    .asException();
        }
        return Optional.of(first);
    }

    /** Decodes a header value as UTF-8. Netty delivers each byte as one char. */
    public static String utf8(String name, String value) {
        if (TextChecks.isVisibleAscii(value)) {
            return value;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(value.getBytes(StandardCharsets.ISO_8859_1)))
                    .toString();
        } catch (CharacterCodingException e) {
            throw ProblemDetail.field(name, "The header %s must be UTF-8".formatted(name))
                    .asException();
        }
    }
}
