// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.pages;

import dev.semel.server.http.ProblemDetail;
import dev.semel.server.http.ProblemType;
import dev.semel.server.http.Resource;
import dev.semel.server.http.RouteAccess;
import dev.semel.server.http.Routes;
import java.util.List;

/**
 * The ledger, the call events and the webhook inbox of a server without an SQL database. Each route answers, without reading a
 * body, what it needs.
 */
public final class NeedsSqlResource implements Resource {
    private static final List<Unserved> ROUTES = List.of(
            route("POST", "/api/ledger/ingest", RouteAccess.USE, "The ledger"),
            route("POST", "/api/ledger/ingest/batch", RouteAccess.USE, "The ledger"),
            route("POST", "/api/ledger/lookup", RouteAccess.LOOK, "The ledger"),
            route("GET", "/api/ledger/events/{id}", RouteAccess.LOOK, "The ledger"),
            route("GET", "/api/ledger/events", RouteAccess.LOOK, "The ledger"),
            route("POST", "/api/call-event", RouteAccess.OPEN, "Recording call events"),
            route("GET", "/api/calls/{id}", RouteAccess.LOOK, "Recording call events"),
            route("GET", "/api/calls", RouteAccess.LOOK, "Recording call events"),
            route("GET", "/v1/inbox", RouteAccess.LOOK, "The webhook inbox"),
            route("GET", "/v1/inbox/{id}", RouteAccess.LOOK, "The webhook inbox"),
            route("POST", "/v1/inbox/take", RouteAccess.USE, "The webhook inbox"),
            route("POST", "/v1/inbox/{id}/ack", RouteAccess.USE, "The webhook inbox"),
            route("POST", "/v1/inbox/{id}/give-back", RouteAccess.USE, "The webhook inbox"),
            route("POST", "/v1/inbox/{id}/replay", RouteAccess.OPERATE, "The webhook inbox"));

    private record Unserved(String method, String path, RouteAccess access, String what) {}

    private static Unserved route(String method, String path, RouteAccess access, String what) {
        return new Unserved(method, path, access, what);
    }

    /**
     * Returns the problem.
     *
     * @param what the subject of a sentence
     */
    public static ProblemDetail problem(String what) {
        return ProblemDetail.of(
                ProblemType.NEEDS_SQL,
                what + " needs an SQL database, but this server keeps its claims in DynamoDB: see docs/dynamodb.md");
    }

    @Override
    public void addTo(Routes to) {
        for (Unserved route : ROUTES) {
            to.unserved(route.method(), route.path(), route.access(), problem(route.what()));
        }
    }
}
