// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.claim.ClaimKey;
import dev.semel.operations.Amount;
import dev.semel.operations.PaymentKey;
import dev.semel.operations.Phone;
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
import java.util.function.Supplier;

/** {@code POST /v1/payments/confirmations} and {@code /v1/payments/requests}. */
public final class PaymentsResource implements Resource {
    private static final int LONGEST_NUMBER = 64;
    private static final int LONGEST_REGION = 2;

    private final ClaimHandler handler;
    private final ClaimRequests requests;
    private final Duration ttl;

    public PaymentsResource(ClaimHandler handler, ClaimRequests requests, Duration ttl) {
        this.handler = handler;
        this.requests = requests;
        this.ttl = ttl;
    }

    @Override
    public void addTo(Routes routes) {
        routes.post("/v1/payments/confirmations", RouteAccess.USE, this::confirmation);
        routes.post("/v1/payments/requests", RouteAccess.USE, this::request);
    }

    private CompletionStage<HttpAnswer> confirmation(RequestContext context, Json body) {
        JsonFields fields = new JsonFields(body, JsonPointer.ROOT);
        String provider = fields.requiredText("provider", JsonFields.MAX_KEY);
        String transaction = fields.requiredText("provider_tx_id", JsonFields.MAX_KEY);
        return claim(
                context,
                fields,
                checked(
                        fields,
                        "provider_tx_id",
                        () -> PaymentKey.confirmation(context.tenant(), provider, transaction)));
    }

    private CompletionStage<HttpAnswer> request(RequestContext context, Json body) {
        JsonFields fields = new JsonFields(body, JsonPointer.ROOT);
        String provider = fields.requiredText("provider", JsonFields.MAX_KEY);
        String order = fields.requiredText("order_id", JsonFields.MAX_KEY);
        Json written = fields.any("amount").orElseThrow(() -> fields.missing("amount"));
        Amount amount = checked(fields, "amount", () -> Amount.of(written));
        String number = fields.requiredText("phone", LONGEST_NUMBER);
        String region = fields.text("region", LONGEST_REGION).orElse(null);
        Phone phone = checked(fields, "phone", () -> region == null ? Phone.of(number) : Phone.of(number, region));
        return claim(
                context,
                fields,
                checked(
                        fields,
                        "order_id",
                        () -> PaymentKey.request(context.tenant(), provider, order, amount, phone)));
    }

    private CompletionStage<HttpAnswer> claim(RequestContext context, JsonFields fields, ClaimKey key) {
        return handler.claim(context, requests.derived(fields, key, ClaimKind.PAYMENT, ttl));
    }

    /** Translates validation errors of payments. Their messages quote nothing from the request. */
    private static <T> T checked(JsonFields fields, String name, Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw fields.wrong(name, "is invalid: " + e.getMessage());
        }
    }
}
