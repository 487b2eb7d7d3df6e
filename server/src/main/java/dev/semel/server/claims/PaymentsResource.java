// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.claim.ClaimKey;
import dev.semel.operations.Amount;
import dev.semel.operations.PaymentKey;
import dev.semel.operations.Phone;
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
import java.util.function.Supplier;

/** {@code POST /v1/payments/confirmations} and {@code /v1/payments/requests}. */
public final class PaymentsResource implements Resource {
    private static final int LONGEST_NUMBER = 64;
    private static final int LONGEST_REGION = 2;

    private final ClaimDoor door;
    private final ClaimRequests requests;
    private final Duration ttl;

    public PaymentsResource(ClaimDoor door, ClaimRequests requests, Duration ttl) {
        this.door = door;
        this.requests = requests;
        this.ttl = ttl;
    }

    @Override
    public void addTo(Routes routes) {
        routes.post("/v1/payments/confirmations", Access.USE, this::confirmation);
        routes.post("/v1/payments/requests", Access.USE, this::request);
    }

    private CompletionStage<Answer> confirmation(Exchange exchange, Json body) {
        Fields fields = new Fields(body, JsonPointer.ROOT);
        String provider = fields.requiredText("provider", Fields.MAX_KEY);
        String transaction = fields.requiredText("provider_tx_id", Fields.MAX_KEY);
        return claim(
                exchange,
                fields,
                checked(
                        fields,
                        "provider_tx_id",
                        () -> PaymentKey.confirmation(exchange.tenant(), provider, transaction)));
    }

    private CompletionStage<Answer> request(Exchange exchange, Json body) {
        Fields fields = new Fields(body, JsonPointer.ROOT);
        String provider = fields.requiredText("provider", Fields.MAX_KEY);
        String order = fields.requiredText("order_id", Fields.MAX_KEY);
        Json written = fields.any("amount").orElseThrow(() -> fields.missing("amount"));
        Amount amount = checked(fields, "amount", () -> Amount.of(written));
        String number = fields.requiredText("phone", LONGEST_NUMBER);
        String region = fields.text("region", LONGEST_REGION).orElse(null);
        Phone phone = checked(fields, "phone", () -> region == null ? Phone.of(number) : Phone.of(number, region));
        return claim(
                exchange,
                fields,
                checked(
                        fields,
                        "order_id",
                        () -> PaymentKey.request(exchange.tenant(), provider, order, amount, phone)));
    }

    private CompletionStage<Answer> claim(Exchange exchange, Fields fields, ClaimKey key) {
        return door.claim(exchange, requests.derived(fields, key, ResultKind.PAYMENT, ttl));
    }

    /** What the rules of payments refuse, they refuse in words that quote nothing. */
    private static <T> T checked(Fields fields, String name, Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw fields.wrong(name, "is not taken: " + e.getMessage());
        }
    }
}
