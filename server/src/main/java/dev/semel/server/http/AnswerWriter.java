// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.util.Arrays;

/** Writes a response. A large body is written in parts, so that the network copy is never larger than one part. */
final class AnswerWriter {
    static final int PART = 32 << 10;

    /** A status without a body and without Content-Length. */
    private static final int NO_CONTENT = 204;

    private static final int NOT_MODIFIED = 304;

    private AnswerWriter() {}

    /**
     * Completes when the last byte was passed to the operating system. Fails if the client disconnected.
     *
     * @param last whether the connection closes after this response
     */
    static Future<Void> write(HttpServerRequest request, HttpAnswer answer, boolean last) {
        HttpServerResponse response = request.response();
        byte[] body = answer.body();
        response.setStatusCode(answer.status());
        if (answer.mediaType() != null) {
            response.putHeader(HeaderNames.CONTENT_TYPE, answer.mediaType());
            response.putHeader(HeaderNames.CACHE_CONTROL, HeaderNames.NO_STORE);
            response.putHeader(HeaderNames.NO_SNIFF_NAME, HeaderNames.NO_SNIFF);
            answer.headers().forEach(line -> response.putHeader(line.name(), line.value()));
        } else {
            answer.headers().forEach(line -> response.headers().add(line.name(), line.value()));
        }
        if (last || request.version() == HttpVersion.HTTP_1_0) {
            response.putHeader(HeaderNames.CONNECTION, HeaderNames.CLOSE);
        }
        if (answer.status() == NO_CONTENT || answer.status() == NOT_MODIFIED) {
            return response.end();
        }
        if (request.method().name().equals("HEAD")) {
            response.putHeader(HeaderNames.CONTENT_LENGTH, Integer.toString(body.length));
            return response.end();
        }
        if (body.length <= PART) {
            return response.end(Buffer.buffer(body));
        }
        response.putHeader(HeaderNames.CONTENT_LENGTH, Integer.toString(body.length));
        return from(response, body, 0);
    }

    private static Future<Void> from(HttpServerResponse response, byte[] body, int start) {
        int end = Math.min(body.length, start + PART);
        Buffer part = Buffer.buffer(Arrays.copyOfRange(body, start, end));
        return end == body.length
                ? response.end(part)
                : response.write(part).compose(written -> from(response, body, end));
    }
}
