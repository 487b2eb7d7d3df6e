// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import dev.semel.claim.ClaimKey;
import dev.semel.key.ColonJoined;
import dev.semel.payload.redact.PhoneMask;
import java.util.Objects;

/**
 * Makes the keys of payments. The tenant is the organization. Colons and percent signs in a part are percent-encoded, so that
 * different parts never make the same key. Provider, order and transaction are compared character by character.
 *
 * <table>
 *   <caption>The two keys</caption>
 *   <tr><th>scope</th><th>key</th></tr>
 *   <tr><td>{@value #CONFIRMATION}</td><td>{@code provider:<provider>:tx:<transaction>}</td></tr>
 *   <tr><td>{@value #REQUEST}</td><td>{@code provider:<provider>:order:<order>:amount:<amount>:phone:<phone>}</td></tr>
 * </table>
 *
 * <p>The currency is not part of the key, because an order usually has one currency. Otherwise add it to the order's id.
 */
public final class PaymentKey {
    /** The scope of confirmations. */
    public static final String CONFIRMATION = "payment_confirmation";
    /** The scope of requests. */
    public static final String REQUEST = "payment_request";

    private static final String PHONE = ":phone:";

    private PaymentKey() {}

    /** The key of a provider's confirmation that a payment was made. */
    public static ClaimKey confirmation(String organization, String provider, String providerTxId) {
        return new ClaimKey(
                KeyPart.organization(organization),
                CONFIRMATION,
                ColonJoined.of(
                        "provider",
                        provider(provider),
                        "tx",
                        KeyPart.check("A provider_tx_id", providerTxId, KeyPart.MAX_ID)));
    }

    /** The key of a request for a payment. */
    public static ClaimKey request(String organization, String provider, String orderId, Amount amount, Phone phone) {
        Objects.requireNonNull(amount, "An amount must not be null");
        Objects.requireNonNull(phone, "A phone must not be null");
        return new ClaimKey(
                KeyPart.organization(organization),
                REQUEST,
                ColonJoined.of(
                        "provider",
                        provider(provider),
                        "order",
                        KeyPart.check("An order_id", orderId, KeyPart.MAX_ID),
                        "amount",
                        amount.text(),
                        "phone",
                        phone.text()));
    }

    /** The key of a payment for display. All but the last digits of the phone number are masked. */
    public static String masked(ClaimKey key) {
        int phone = key.key().lastIndexOf(PHONE) + PHONE.length();
        return key.scope().equals(REQUEST) && phone >= PHONE.length()
                ? key.key().substring(0, phone) + PhoneMask.whole(key.key().substring(phone))
                : key.key();
    }

    private static String provider(String provider) {
        return KeyPart.check("A provider", provider, KeyPart.MAX_NAME);
    }
}
