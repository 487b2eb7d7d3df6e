// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import io.vertx.core.http.HttpHeaders;

/** Names of frequent headers as Netty {@code AsciiString}s, the fastest form to look up and write. */
final class HeaderNames {
    static final CharSequence CONTENT_TYPE = HttpHeaders.createOptimized("Content-Type");
    static final CharSequence CONTENT_LENGTH = HttpHeaders.createOptimized("Content-Length");
    static final CharSequence CACHE_CONTROL = HttpHeaders.createOptimized("Cache-Control");
    static final CharSequence NO_STORE = HttpHeaders.createOptimized("no-store");
    static final CharSequence NO_SNIFF_NAME = HttpHeaders.createOptimized("X-Content-Type-Options");
    static final CharSequence NO_SNIFF = HttpHeaders.createOptimized("nosniff");
    static final CharSequence CONNECTION = HttpHeaders.createOptimized("Connection");
    static final CharSequence CLOSE = HttpHeaders.createOptimized("close");

    static final CharSequence HOST = HttpHeaders.createOptimized("Host");
    static final CharSequence TRANSFER_ENCODING = HttpHeaders.createOptimized("Transfer-Encoding");
    static final CharSequence CONTENT_ENCODING = HttpHeaders.createOptimized("Content-Encoding");
    static final CharSequence EXPECT = HttpHeaders.createOptimized("Expect");

    private HeaderNames() {}
}
