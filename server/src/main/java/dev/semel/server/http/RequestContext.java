// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.CallObserver.Current;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An admitted request, as resources see it. */
public final class RequestContext {
    private final HttpServerRequest request;
    private final Identity identity;
    private final Map<String, String> parameters;
    private final MemoryCharge charge;
    private final RequestTrace trace;
    private final Executor loop;
    private final Supplier<Identity> identifies;
    private @Nullable QueryParameters query;

    /**
     * @param loop runs tasks on the request's event loop, at once if it is called there
     * @param identifies authenticates the request again
     */
    RequestContext(
            HttpServerRequest request,
            Identity identity,
            Map<String, String> parameters,
            MemoryCharge charge,
            RequestTrace trace,
            Executor loop,
            Supplier<Identity> identifies) {
        this.request = request;
        this.identity = identity;
        this.parameters = parameters;
        this.charge = charge;
        this.trace = trace;
        this.loop = loop;
        this.identifies = identifies;
    }

    /** Returns whether the sender may still do this. A token can be withdrawn while an answer is streamed. */
    public boolean isStillAdmitted() {
        try {
            return identifies.get().equals(identity);
        } catch (ProblemException e) {
            return false;
        }
    }

    /** Rejects a malformed query even if the resource does not read it. */
    void checkQuery() {
        if (request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD)) {
            query();
        }
    }

    /** Does something in the trace of this request, after a wait for its body. */
    public <T> T traced(Supplier<T> work) {
        Current current = trace.enter();
        try {
            return work.get();
        } finally {
            current.close();
        }
    }

    /**
     * Returns the same stage, whose dependents run on this request's event loop and in its trace. A lane of the engine that
     * answers many requests then sends its next batch sooner.
     */
    public <T> CompletionStage<T> onLoop(CompletionStage<T> stage) {
        return stage.toCompletableFuture().isDone()
                ? stage
                : stage.thenApplyAsync(Function.identity(), this::runOnLoop);
    }

    private void runOnLoop(Runnable task) {
        loop.execute(() -> {
            Current current = trace.enter();
            try {
                task.run();
            } finally {
                current.close();
            }
        });
    }

    /** Returns the memory reservation of this request. */
    public MemoryCharge charge() {
        return charge;
    }

    public Identity identity() {
        return identity;
    }

    public String tenant() {
        return identity.tenant();
    }

    /** Returns the value of a path parameter. */
    public String path(String name) {
        String value = parameters.get(name);
        if (value == null) {
            throw new IllegalArgumentException("The route has no path parameter {" + name + "}");
        }
        return value;
    }

    /** Returns all path parameters. */
    public Map<String, String> pathParameters() {
        return Map.copyOf(parameters);
    }

    /**
     * Returns a query parameter that may be given once.
     *
     * @throws ProblemException if it is given more than once, or the query is malformed
     */
    public Optional<String> query(String name) {
        return query().one(name);
    }

    /**
     * Returns a query parameter of 1 to {@code max} characters without control characters. An empty parameter counts as
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

    /**
     * Refuses query parameters with other names.
     *
     * @throws ProblemException if there is one
     */
    void onlyParameters(Set<String> names) {
        query().only(names);
    }

    private QueryParameters query() {
        QueryParameters known = query;
        if (known == null) {
            known = QueryParameters.of(request.query());
            query = known;
        }
        return known;
    }

    /** Returns a header that may be given once. */
    public Optional<String> header(String name) {
        return RequestHeaders.single(request, name);
    }

    /** Returns the raw request, for resources that stream. */
    public HttpServerRequest request() {
        return request;
    }
}
