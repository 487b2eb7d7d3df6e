// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.key.ColonJoined;
import dev.semel.payload.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * MTN MoMo. The key is {@code tx_<reference>:<status>}. Deliveries are not signed: query the API to confirm them, or keep
 * the URL secret. The status is part of the key, because the same reference is first pending and later paid.
 */
final class Momo implements Provider {
    private static final List<String> REFERENCES = List.of(
            "referenceId", "financialTransactionId", "transactionId", "transaction_id", "reference", "reference_id");
    private static final Set<String> PAID = Set.of("SUCCESSFUL", "SUCCESS", "COMPLETED");

    private final EventIds.Fallback fallback;

    Momo(ProviderConfig config) {
        fallback = EventIds.Fallback.of(config, "X-Signature", Optional.of("X-Timestamp"));
    }

    @Override
    public Signature signature() {
        return Signature.NONE;
    }

    @Override
    public boolean signsAll() {
        return false;
    }

    /** The body is JSON or a form. */
    @Override
    public List<Fragment> split(WebhookRequest request) {
        return List.of(Fragment.whole(DeliveryJson.of(request), request.body()));
    }

    @Override
    public EventKeys keys(WebhookRequest request, Json event) {
        Optional<String> status = DeliveryJson.text(event, "status");
        return reference(request, event)
                .or(() -> DeliveryJson.text(event, "externalId"))
                .or(() -> DeliveryJson.text(event, "id"))
                .map(id -> EventKeys.strong(
                        "tx_" + status.map(now -> ColonJoined.of(id, now)).orElse(id)))
                .orElseGet(() -> EventIds.idOrDigest(request, event, fallback));
    }

    private static Optional<String> reference(WebhookRequest request, Json event) {
        return UrlQuery.of(request.url())
                .one("X-Reference-Id")
                .or(() -> REFERENCES.stream()
                        .flatMap(name -> DeliveryJson.text(event, name).stream())
                        .findFirst())
                .or(() -> request.headers().one("X-Reference-Id"));
    }

    @Override
    public Optional<Payment> payment(WebhookRequest request, Json event) {
        return DeliveryJson.text(event, "status")
                .filter(PAID::contains)
                .flatMap(paid ->
                        DeliveryJson.text(event, "financialTransactionId").or(() -> reference(request, event)))
                .map(Payment.Confirmation::new);
    }

    /** MoMo sends an event only once. The key is kept for manual redeliveries. */
    @Override
    public Duration ttl() {
        return Duration.ofDays(1);
    }
}
