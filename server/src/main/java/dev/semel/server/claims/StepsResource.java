// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.claim.ClaimKey;
import dev.semel.operations.StepKey;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonPointer;
import dev.semel.server.http.Access;
import dev.semel.server.http.Answer;
import dev.semel.server.http.Exchange;
import dev.semel.server.http.Fields;
import dev.semel.server.http.Resource;
import dev.semel.server.http.Routes;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** {@code POST /v1/steps}: a workflow's step, once for its input. */
public final class StepsResource implements Resource {
    private final ClaimDoor door;
    private final ClaimRequests requests;
    private final Duration ttl;

    public StepsResource(ClaimDoor door, ClaimRequests requests, Duration ttl) {
        this.door = door;
        this.requests = requests;
        this.ttl = ttl;
    }

    @Override
    public void addTo(Routes routes) {
        routes.post("/v1/steps", Access.USE, this::step);
    }

    private CompletionStage<Answer> step(Exchange exchange, Json body) {
        Fields fields = new Fields(body, JsonPointer.ROOT);
        String run = fields.requiredText("workflow_run_id", Fields.MAX_KEY);
        String step = fields.requiredText("step_key", Fields.MAX_KEY);
        Json input = fields.any("input").orElseThrow(() -> fields.missing("input"));
        ClaimKey key = StepKey.of(exchange.tenant(), run, step, input);
        return door.claim(exchange, requests.derived(fields, key, ResultKind.STEP, ttl));
    }
}
