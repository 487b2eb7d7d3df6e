// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import dev.semel.claim.ClaimKey;
import java.util.Objects;

/**
 * A provider's confirmation that a payment was made.
 *
 * @param providerTxId the provider's id of the transaction
 */
public record PaymentConfirmation(String organization, String provider, String providerTxId, OperationRules rules) {
    public PaymentConfirmation {
        Objects.requireNonNull(rules, "Rules must not be null");
        PaymentKey.confirmation(organization, provider, providerTxId);
    }

    /** A confirmation with the default rules. */
    public static PaymentConfirmation of(String organization, String provider, String providerTxId) {
        return new PaymentConfirmation(organization, provider, providerTxId, OperationRules.PAYMENT);
    }

    public PaymentConfirmation with(OperationRules other) {
        return new PaymentConfirmation(organization, provider, providerTxId, other);
    }

    /** See {@link PaymentKey#confirmation}. */
    public ClaimKey key() {
        return PaymentKey.confirmation(organization, provider, providerTxId);
    }
}
