// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.Locale;
import java.util.Optional;

/** Rules for every request. Ambiguous requests are rejected. */
final class RequestValidation {
    private RequestValidation() {}

    static void check(HttpServerRequest request) {
        // Absolute URIs are rejected too: their host could differ from the Host header.
        if (request.path() == null || !request.uri().startsWith("/")) {
            throw bad("The request target must be a path");
        }
        Optional<String> host = RequestHeaders.single(request, HeaderNames.HOST);
        if (host.isEmpty() && request.version() == HttpVersion.HTTP_1_1) {
            throw bad("The Host header is required");
        }
        host.ifPresent(HostHeader::required);
        if (request.headers().contains("")) {
            throw bad("A header has an empty name");
        }
        RequestHeaders.single(request, HeaderNames.CONTENT_LENGTH);
        RequestHeaders.single(request, HeaderNames.TRANSFER_ENCODING).ifPresent(encoding -> {
            if (!encoding.toLowerCase(Locale.ROOT).equals("chunked")) {
                throw bad("The only supported Transfer-Encoding is chunked");
            }
            if (request.headers().contains(HeaderNames.CONTENT_LENGTH)) {
                throw bad("Content-Length and Transfer-Encoding must not be combined");
            }
            if (request.version() != HttpVersion.HTTP_1_1) {
                throw bad("Transfer-Encoding requires HTTP/1.1");
            }
        });
        RequestHeaders.single(request, HeaderNames.EXPECT).ifPresent(expected -> {
            if (!expected.equalsIgnoreCase("100-continue")) {
                throw ProblemDetail.of(ProblemType.EXPECTATION_FAILED, "Only Expect: 100-continue is supported")
                        .asException();
            }
        });
    }

    /** Additional rules for requests that the server handles itself. */
    static void checkServerRequest(HttpServerRequest request) {
        RequestHeaders.single(request, HeaderNames.CONTENT_ENCODING).ifPresent(encoding -> {
            if (!encoding.equalsIgnoreCase("identity")) {
                throw ProblemDetail.of(ProblemType.UNSUPPORTED_MEDIA_TYPE, "The body must not be compressed")
                        .asException();
            }
        });
    }

    /** Returns whether the request has a body, even if it has not arrived yet. */
    static boolean hasBody(HttpServerRequest request) {
        String length = request.headers().get(HeaderNames.CONTENT_LENGTH);
        return (length != null && !length.equals("0")) || request.headers().contains(HeaderNames.TRANSFER_ENCODING);
    }

    private static ProblemException bad(String detail) {
        return ProblemDetail.of(ProblemType.BAD_REQUEST, detail).asException();
    }
}
