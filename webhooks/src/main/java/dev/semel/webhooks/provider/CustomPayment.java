// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.operations.Amount;
import dev.semel.operations.Phone;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonPointer;
import java.util.List;
import java.util.Optional;

/**
 * Finds the payments of a custom sender. An event is a payment if one of the conditions {@code payment.when}, such as
 * {@code /type=paid}, holds. A confirmation has {@code payment.transaction}; a request has order, amount and phone.
 */
final class CustomPayment {
    private final List<Condition> when;
    private final Optional<JsonPointer> transaction;
    private final Optional<JsonPointer> order;
    private final Optional<JsonPointer> amount;
    private final Optional<JsonPointer> phone;
    private final Optional<String> region;

    private CustomPayment(ProviderConfig config) {
        when = config.all("payment.when").stream().map(Condition::of).toList();
        transaction = config.one("payment.transaction").map(JsonPointer::of);
        order = config.one("payment.order").map(JsonPointer::of);
        amount = config.one("payment.amount").map(JsonPointer::of);
        phone = config.one("payment.phone").map(JsonPointer::of);
        region = config.one("payment.region");
    }

    static CustomPayment of(ProviderConfig config) {
        CustomPayment payment = new CustomPayment(config);
        boolean request = payment.order.isPresent() && payment.amount.isPresent() && payment.phone.isPresent();
        boolean partly = payment.order.isPresent() || payment.amount.isPresent() || payment.phone.isPresent();
        if ((partly && !request) || (request && payment.transaction.isPresent())) {
            throw new IllegalArgumentException("A payment needs either payment.transaction (a confirmation), or"
                    + " payment.order, payment.amount and payment.phone together (a request)");
        }
        if ((request || payment.transaction.isPresent()) && payment.when.isEmpty()) {
            // Without a condition, a refund of the same transaction would count as a duplicate and be lost.
            throw new IllegalArgumentException(
                    "payment.when must say which events are payments, for example /type=payment.succeeded");
        }
        return payment;
    }

    Optional<Payment> in(Json event) {
        if (when.stream().noneMatch(condition -> condition.holds(event))) {
            return Optional.empty();
        }
        if (transaction.isPresent()) {
            return DeliveryJson.text(event, transaction.get()).map(Payment.Confirmation::new);
        }
        return order.flatMap(at -> DeliveryJson.text(event, at)).map(id -> request(event, id));
    }

    private Payment request(Json event, String id) {
        Optional<Json> sum = DeliveryJson.at(event, amount.orElseThrow().tokens());
        Optional<String> number = DeliveryJson.text(event, phone.orElseThrow());
        if (sum.isEmpty() || number.isEmpty()) {
            throw new BadDeliveryException("A payment request requires an order, an amount and a phone");
        }
        try {
            return new Payment.Request(
                    id,
                    Amount.of(sum.get()),
                    region.map(in -> Phone.of(number.get(), in)).orElseGet(() -> Phone.of(number.get())));
        } catch (IllegalArgumentException e) {
            throw new BadDeliveryException("The amount or phone of a payment request is invalid");
        }
    }

    private record Condition(JsonPointer at, String value) {
        static Condition of(String text) {
            int equals = text.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException(
                        "payment.when must be a JSON pointer and a value, for example /type=payment.succeeded");
            }
            return new Condition(JsonPointer.of(text.substring(0, equals)), text.substring(equals + 1));
        }

        boolean holds(Json event) {
            return DeliveryJson.text(event, at).filter(value::equals).isPresent();
        }
    }
}
