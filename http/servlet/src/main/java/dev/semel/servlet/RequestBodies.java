// SPDX-License-Identifier: Apache-2.0
package dev.semel.servlet;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Reads request bodies up to a maximum size. */
final class RequestBodies {
    private static final int MAX_DISCARDED = 256 << 10;

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

    /**
     * Reads a bounded part of what the client still sends, after it was answered. A container closes a connection whose request
     * was not read to its end, and the client may then see a reset in place of the answer.
     */
    static void discard(HttpServletRequest request) {
        byte[] part = new byte[8_192];
        try {
            InputStream in = request.getInputStream();
            for (int left = MAX_DISCARDED; left > 0; ) {
                int read = in.read(part, 0, Math.min(left, part.length));
                if (read < 0) {
                    return;
                }
                left -= read;
            }
        } catch (IOException | IllegalStateException e) {
            // The client has its answer, or is gone.
        }
    }
}
