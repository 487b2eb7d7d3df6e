// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.Locale;
import java.util.Optional;

/** What every request must keep to, whatever it is for. What two readers could understand in two ways is refused. */
final class RequestValidation {
    private RequestValidation() {}

    static void check(HttpServerRequest request) {
        // Not an absolute address either: it could name another host than the header does.
        if (request.path() == null || !request.uri().startsWith("/")) {
            throw bad("The request must be for a path");
        }
        Optional<String> host = RequestHeaders.single(request, HeaderNames.HOST);
        if (host.isEmpty() && request.version() == HttpVersion.HTTP_1_1) {
            throw bad("The header Host is missing");
        }
        host.ifPresent(HostHeader::required);
        if (request.headers().contains("")) {
            throw bad("A header has no name");
        }
        RequestHeaders.single(request, HeaderNames.CONTENT_LENGTH);
        RequestHeaders.single(request, HeaderNames.TRANSFER_ENCODING).ifPresent(encoding -> {
            if (!encoding.toLowerCase(Locale.ROOT).equals("chunked")) {
                throw bad("The only Transfer-Encoding that is understood is chunked");
            }
            if (request.headers().contains(HeaderNames.CONTENT_LENGTH)) {
                throw bad("Content-Length and Transfer-Encoding must not be there together");
            }
            if (request.version() != HttpVersion.HTTP_1_1) {
                throw bad("Transfer-Encoding needs HTTP/1.1");
            }
        });
        RequestHeaders.single(request, HeaderNames.EXPECT).ifPresent(expected -> {
            if (!expected.equalsIgnoreCase("100-continue")) {
                throw ProblemDetail.of(ProblemType.EXPECTATION_FAILED, "Only Expect: 100-continue is understood")
                        .asException();
            }
        });
    }

    /** What requests to the server itself must keep to as well. */
    static void checkOwn(HttpServerRequest request) {
        RequestHeaders.single(request, HeaderNames.CONTENT_ENCODING).ifPresent(encoding -> {
            if (!encoding.equalsIgnoreCase("identity")) {
                throw ProblemDetail.of(ProblemType.UNSUPPORTED_MEDIA_TYPE, "The body must not be compressed")
                        .asException();
            }
        });
    }

    /** Whether there is a body, be it on its way. */
    static boolean hasBody(HttpServerRequest request) {
        String length = request.headers().get(HeaderNames.CONTENT_LENGTH);
        return (length != null && !length.equals("0")) || request.headers().contains(HeaderNames.TRANSFER_ENCODING);
    }

    private static ProblemException bad(String detail) {
        return ProblemDetail.of(ProblemType.BAD_REQUEST, detail).asException();
    }
}
