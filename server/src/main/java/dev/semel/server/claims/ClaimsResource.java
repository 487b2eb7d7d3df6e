// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonPointer;
import dev.semel.server.http.HttpAnswer;
import dev.semel.server.http.JsonFields;
import dev.semel.server.http.RequestContext;
import dev.semel.server.http.Resource;
import dev.semel.server.http.RouteAccess;
import dev.semel.server.http.Routes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** {@code POST /v1/claims} and {@code /v1/claims/batch}. */
public final class ClaimsResource implements Resource {
    private static final int LARGEST_BATCH = 1_000;

    private final ClaimHandler handler;
    private final ClaimRequests requests;

    public ClaimsResource(ClaimHandler handler, ClaimRequests requests) {
        this.handler = handler;
        this.requests = requests;
    }

    @Override
    public void addTo(Routes routes) {
        routes.post("/v1/claims", RouteAccess.USE, this::claim);
        routes.post("/v1/claims/batch", RouteAccess.USE, this::batch);
    }

    private CompletionStage<HttpAnswer> claim(RequestContext context, Json body) {
        return handler.claim(context, requests.read(context.tenant(), body));
    }

    private CompletionStage<HttpAnswer> batch(RequestContext context, Json body) {
        JsonFields fields = new JsonFields(body, JsonPointer.ROOT);
        List<Json> elements = fields.requiredList("claims", LARGEST_BATCH);
        fields.done();
        List<RequestedClaim> all = new ArrayList<>(elements.size());
        for (Json element : elements) {
            JsonPointer at = fields.pointer("claims").child(Integer.toString(all.size()));
            all.add(requests.readElement(context.tenant(), element, at));
        }
        return handler.claimAll(context, all);
    }
}
