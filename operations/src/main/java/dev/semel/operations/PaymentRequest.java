// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import dev.semel.claim.ClaimKey;
import java.util.Objects;

/** A request for a payment of this amount for this order, to the owner of this phone number. */
public record PaymentRequest(
        String organization, String provider, String orderId, Amount amount, Phone phone, OperationRules rules) {
    public PaymentRequest {
        Objects.requireNonNull(rules, "Rules must not be null");
        PaymentKey.request(organization, provider, orderId, amount, phone);
    }

    /** A request with the default rules. */
    public static PaymentRequest of(String organization, String provider, String orderId, Amount amount, Phone phone) {
        return new PaymentRequest(organization, provider, orderId, amount, phone, OperationRules.PAYMENT);
    }

    public PaymentRequest with(OperationRules other) {
        return new PaymentRequest(organization, provider, orderId, amount, phone, other);
    }

    /** See {@link PaymentKey#request}. */
    public ClaimKey key() {
        return PaymentKey.request(organization, provider, orderId, amount, phone);
    }
}
