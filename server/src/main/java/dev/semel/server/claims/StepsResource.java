// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.claim.ClaimKey;
import dev.semel.operations.StepKey;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonPointer;
import dev.semel.server.http.HttpAnswer;
import dev.semel.server.http.JsonFields;
import dev.semel.server.http.RequestContext;
import dev.semel.server.http.Resource;
import dev.semel.server.http.RouteAccess;
import dev.semel.server.http.Routes;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** {@code POST /v1/steps}: claims a workflow's step once per input. */
public final class StepsResource implements Resource {
    private final ClaimHandler handler;
    private final ClaimRequests requests;
    private final Duration ttl;

    public StepsResource(ClaimHandler handler, ClaimRequests requests, Duration ttl) {
        this.handler = handler;
        this.requests = requests;
        this.ttl = ttl;
    }

    @Override
    public void addTo(Routes routes) {
        routes.post("/v1/steps", RouteAccess.USE, this::step);
    }

    private CompletionStage<HttpAnswer> step(RequestContext context, Json body) {
        JsonFields fields = new JsonFields(body, JsonPointer.ROOT);
        String run = fields.requiredText("workflow_run_id", JsonFields.MAX_KEY);
        String step = fields.requiredText("step_key", JsonFields.MAX_KEY);
        Json input = fields.any("input").orElseThrow(() -> fields.missing("input"));
        ClaimKey key = StepKey.of(context.tenant(), run, step, input);
        return handler.claim(context, requests.derived(fields, key, ClaimKind.STEP, ttl));
    }
}
