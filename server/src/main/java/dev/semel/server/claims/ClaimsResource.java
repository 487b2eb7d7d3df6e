// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonPointer;
import dev.semel.server.http.Access;
import dev.semel.server.http.Answer;
import dev.semel.server.http.Exchange;
import dev.semel.server.http.Fields;
import dev.semel.server.http.Resource;
import dev.semel.server.http.Routes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** {@code POST /v1/claims} and {@code /v1/claims/batch}. */
public final class ClaimsResource implements Resource {
    private static final int LARGEST_BATCH = 1_000;

    private final ClaimDoor door;
    private final ClaimRequests requests;

    public ClaimsResource(ClaimDoor door, ClaimRequests requests) {
        this.door = door;
        this.requests = requests;
    }

    @Override
    public void addTo(Routes routes) {
        routes.post("/v1/claims", Access.USE, this::claim);
        routes.post("/v1/claims/batch", Access.USE, this::batch);
    }

    private CompletionStage<Answer> claim(Exchange exchange, Json body) {
        return door.claim(exchange, requests.read(exchange.tenant(), body));
    }

    private CompletionStage<Answer> batch(Exchange exchange, Json body) {
        Fields fields = new Fields(body, JsonPointer.ROOT);
        List<Json> elements = fields.requiredList("claims", LARGEST_BATCH);
        fields.done();
        List<ClaimBody> all = new ArrayList<>(elements.size());
        for (Json element : elements) {
            JsonPointer at = fields.pointer("claims").child(Integer.toString(all.size()));
            all.add(requests.readElement(exchange.tenant(), element, at));
        }
        return door.claimAll(exchange, all);
    }
}
