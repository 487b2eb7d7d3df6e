// SPDX-License-Identifier: Apache-2.0
package dev.semel.examples.boot;

import dev.semel.spring.webhooks.WebhookHandler;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Receives {@code POST /webhooks/stripe}, after the signature was verified and if the event was not processed before. The
 * starter settles an event after this method has returned. A crash in between repeats it; {@link OrderBook#pay} commits its
 * claim with the row, so the payment is still booked once.
 */
@Component
class StripeEvents {
    private final OrderBook orders;

    StripeEvents(OrderBook orders) {
        this.orders = orders;
    }

    @WebhookHandler("stripe")
    void onEvent(Event event) {
        if (event.type().equals("payment_intent.succeeded")) {
            Payment payment = event.data().object();
            Map<String, String> metadata = Objects.requireNonNull(payment.metadata(), "The payment has no metadata");
            orders.pay(
                    event.id(),
                    Objects.requireNonNull(metadata.get("order"), "The payment names no order"),
                    Objects.requireNonNull(payment.amount(), "The payment has no amount"));
        }
    }

    /** The part of Stripe's event that this service reads. */
    record Event(String id, String type, Data data) {}

    record Data(Payment object) {}

    /** Events of other types have neither. */
    record Payment(@Nullable Long amount, @Nullable Map<String, String> metadata) {}
}
