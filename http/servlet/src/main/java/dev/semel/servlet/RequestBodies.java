// SPDX-License-Identifier: Apache-2.0
package dev.semel.servlet;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Optional;

/** Reads request bodies up to a maximum size. */
final class RequestBodies {
    private RequestBodies() {}

    /**
     * Reads the whole body. Empty if it is larger than the maximum.
     *
     * @throws IllegalStateException if another filter has already read the body, so that it cannot be compared
     */
    static Optional<byte[]> read(HttpServletRequest request, int max) throws IOException {
        if (request.getContentLengthLong() > max) {
            return Optional.empty();
        }
        byte[] body = request.getInputStream().readNBytes(max + 1);
        if (body.length == 0 && request.getContentLengthLong() > 0) {
            throw new IllegalStateException(
                    "The request's body was read before the idempotency filter: register the filter"
                            + " before filters that call getInputStream, getReader, getParameter or getParts");
        }
        return body.length > max ? Optional.empty() : Optional.of(body);
    }
}
