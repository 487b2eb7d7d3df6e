// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import io.netty.handler.codec.http.HttpRequest;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** A request as Vert.x would pass it on, created from the decoder's output. It has a head but no connection. */
final class DecodedRequest {
    private DecodedRequest() {}

    static HttpServerRequest of(HttpRequest read) {
        MultiMap headers = MultiMap.caseInsensitiveMultiMap();
        read.headers().forEach(header -> headers.add(header.getKey(), header.getValue()));
        return (HttpServerRequest) Proxy.newProxyInstance(
                DecodedRequest.class.getClassLoader(),
                new Class<?>[] {HttpServerRequest.class},
                (proxy, called, arguments) -> switch (called.getName()) {
                    case "method" -> HttpMethod.valueOf(read.method().name());
                    case "uri" -> read.uri();
                    case "path" -> path(read.uri());
                    case "query" -> query(read.uri());
                    case "version" ->
                        read.protocolVersion().minorVersion() == 0 ? HttpVersion.HTTP_1_0 : HttpVersion.HTTP_1_1;
                    case "headers" -> headers;
                    case "getHeader" -> headers.get(String.valueOf(arguments[0]));
                    case "decoderResult" -> read.decoderResult();
                    case "isSSL" -> false;
                    case "toString" -> "DecodedRequest";
                    default ->
                        throw new AssertionError(
                                "Only the head of a request was decoded, but this was called: " + called);
                });
    }

    /** Like Vert.x: for an absolute URI, the part after the host. */
    private static @Nullable String path(String uri) {
        if (uri.isEmpty()) {
            return null;
        }
        int start = 0;
        if (uri.charAt(0) != '/') {
            int scheme = uri.indexOf("://");
            if (scheme < 0) {
                return null;
            }
            start = uri.indexOf('/', scheme + 3);
            if (start < 0) {
                return "/";
            }
        }
        int query = uri.indexOf('?', start);
        return uri.substring(start, query < 0 ? uri.length() : query);
    }

    private static @Nullable String query(String uri) {
        int at = uri.indexOf('?');
        return at < 0 ? null : uri.substring(at + 1);
    }
}
