// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A request that was let in, as a resource sees it. */
public final class Exchange {
    private final HttpServerRequest request;
    private final Identity identity;
    private final Map<String, String> parameters;

    Exchange(HttpServerRequest request, Identity identity, Map<String, String> parameters) {
        this.request = request;
        this.identity = identity;
        this.parameters = parameters;
    }

    public Identity identity() {
        return identity;
    }

    public String tenant() {
        return identity.tenant();
    }

    /** What stands in the path where the route has a name in braces. */
    public String path(String name) {
        String value = parameters.get(name);
        if (value == null) {
            throw new IllegalArgumentException("The route has no {" + name + "}");
        }
        return value;
    }

    /** A query parameter that may stand once. */
    public Optional<String> query(String name) {
        List<String> all = request.params().getAll(name);
        if (all.size() > 1) {
            throw Problem.field(name, "The parameter %s must not be there twice".formatted(name))
                    .asException();
        }
        return all.stream().findFirst();
    }

    /** A header that may stand once. */
    public Optional<String> header(String name) {
        return Headers.single(request, name);
    }

    /** For resources that stream. */
    public HttpServerRequest request() {
        return request;
    }
}
