// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.claim.ClaimKey;
import dev.semel.operations.Amount;
import dev.semel.operations.PaymentKey;
import dev.semel.operations.Phone;

/** The payment that an event confirms or requests. It is processed once, whichever of its events is first. */
public sealed interface Payment {
    /** The key of the payment's claim. */
    ClaimKey key(String tenant, String provider);

    /** The event confirms that a payment was made. */
    record Confirmation(String transaction) implements Payment {
        @Override
        public ClaimKey key(String tenant, String provider) {
            return PaymentKey.confirmation(tenant, provider, transaction);
        }

        @Override
        public String toString() {
            return "Confirmation";
        }
    }

    /** The event requests a payment. */
    record Request(String order, Amount amount, Phone phone) implements Payment {
        @Override
        public ClaimKey key(String tenant, String provider) {
            return PaymentKey.request(tenant, provider, order, amount, phone);
        }

        @Override
        public String toString() {
            return "Request";
        }
    }
}
