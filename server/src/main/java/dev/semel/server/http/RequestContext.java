// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request that was let in, as a resource sees it. */
public final class RequestContext {
    private final HttpServerRequest request;
    private final Identity identity;
    private final Map<String, String> parameters;
    private final MemoryCharge charge;
    private @Nullable QueryParameters query;

    RequestContext(HttpServerRequest request, Identity identity, Map<String, String> parameters, MemoryCharge charge) {
        this.request = request;
        this.identity = identity;
        this.parameters = parameters;
        this.charge = charge;
    }

    /** A query that cannot be read is refused also where nobody asks for it. */
    void checkQuery() {
        if (request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD)) {
            query();
        }
    }

    /** What the request holds of the server's memory. */
    public MemoryCharge charge() {
        return charge;
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

    /**
     * A query parameter that may stand once.
     *
     * @throws ProblemException if it stands twice, or the query cannot be read
     */
    public Optional<String> query(String name) {
        return query().one(name);
    }

    /**
     * A query parameter that names something: 1 to so many characters without control characters. An empty one counts as
     * absent.
     */
    public Optional<String> name(String parameter, int max) {
        Optional<String> name = query(parameter).filter(text -> !text.isEmpty());
        if (name.filter(text -> text.length() > max || TextChecks.hasControls(text))
                .isPresent()) {
            throw ProblemDetail.field(
                            parameter,
                            "The parameter %s must have 1 to %d characters and no control characters"
                                    .formatted(parameter, max))
                    .asException();
        }
        return name;
    }

    private QueryParameters query() {
        QueryParameters known = query;
        if (known == null) {
            known = QueryParameters.of(request.query());
            query = known;
        }
        return known;
    }

    /** A header that may stand once. */
    public Optional<String> header(String name) {
        return RequestHeaders.single(request, name);
    }

    /** For resources that stream. */
    public HttpServerRequest request() {
        return request;
    }
}
