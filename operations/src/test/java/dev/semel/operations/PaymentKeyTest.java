// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.claim.ClaimKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PaymentKeyTest {
    private static final Amount AMOUNT = Amount.of(1000);
    private static final Phone PHONE = Phone.of("+250788123456");

    @Test
    void keysAreTheDocumentedStrings() {
        assertThat(PaymentKey.confirmation("acme", "momo", "tx-9"))
                .isEqualTo(new ClaimKey("acme", "payment_confirmation", "provider:momo:tx:tx-9"));
        assertThat(PaymentKey.request("acme", "momo", "order-17", AMOUNT, PHONE))
                .isEqualTo(new ClaimKey(
                        "acme", "payment_request", "provider:momo:order:order-17:amount:1000:phone:+250788123456"));
    }

    @Test
    void aReformattedRetryHasTheSameKey() {
        assertThat(PaymentKey.request("acme", "momo", "o", Amount.of("1,000.00"), Phone.of("0788 123 456", "RW")))
                .isEqualTo(PaymentKey.request("acme", "momo", "o", AMOUNT, PHONE));
    }

    @Test
    void differentPartsNeverMakeTheSameKey() {
        assertThat(new String[] {
                    PaymentKey.confirmation("acme", "a:tx:b", "c").key(),
                    PaymentKey.confirmation("acme", "a", "b:tx:c").key(),
                    PaymentKey.confirmation("acme", "a%3Atx%3Ab", "c").key(),
                })
                .doesNotHaveDuplicates();
        assertThat(PaymentKey.request("acme", "momo", "1:amount:5", AMOUNT, PHONE)
                        .key())
                .isEqualTo("provider:momo:order:1%3Aamount%3A5:amount:1000:phone:+250788123456");
    }

    @Test
    void idsAreComparedCharacterByCharacter() {
        assertThat(PaymentKey.confirmation("acme", "momo", "TX"))
                .isNotEqualTo(PaymentKey.confirmation("acme", "momo", "tx"))
                .isNotEqualTo(PaymentKey.confirmation("acme", "momo", "TX "));
    }

    @Test
    void theLongestPartsStillMakeAKey() {
        String id = ":".repeat(1_024);

        assertThat(PaymentKey.request("acme", ":".repeat(64), id, Amount.of("9".repeat(30)), PHONE)
                        .key())
                .contains("%3A%3A");
        assertThat(PaymentKey.confirmation("acme", ":".repeat(64), id).key()).contains("%3A%3A");
    }

    @Test
    void errorsSayWhichPartIsWrong() {
        assertThatThrownBy(() -> PaymentKey.confirmation("acme", "", "t")).hasMessageStartingWith("A provider must");
        assertThatThrownBy(() -> PaymentKey.confirmation("acme", "p", "")).hasMessageStartingWith("A provider_tx_id");
        assertThatThrownBy(() -> PaymentKey.confirmation("", "p", "t")).hasMessageStartingWith("An organization");
        assertThatThrownBy(() -> PaymentKey.request("a", "p", "\u0000", AMOUNT, PHONE))
                .hasMessageStartingWith("An order_id");
    }

    @Test
    void theMaskedKeyShowsOnlyTheLastDigitsOfThePhone() {
        assertThat(PaymentKey.masked(PaymentKey.request("acme", "momo", "order-17", AMOUNT, PHONE)))
                .isEqualTo("provider:momo:order:order-17:amount:1000:phone:+********3456");
        assertThat(PaymentKey.masked(PaymentKey.confirmation("acme", "momo", "tx:phone:0788123456")))
                .isEqualTo("provider:momo:tx:tx%3Aphone%3A0788123456");
    }

    /** Two payments have the same key exactly if all of their parts are equal. */
    @Test
    void differentPaymentsHaveDifferentKeys() {
        Random random = new Random(20260103);
        List<String> names = List.of("momo", "mo:mo", "momo%", "momo:order", "order", "a:amount:1", "%3A");
        Map<String, List<Object>> seen = new HashMap<>();
        int repeated = 0;
        for (int i = 0; i < 20_000; i++) {
            String provider = names.get(random.nextInt(names.size()));
            String order = names.get(random.nextInt(names.size())) + random.nextInt(3);
            int cents = random.nextInt(300);
            Amount amount = Amount.of(cents / 100 + "." + cents % 100 / 10 + cents % 10);
            String phone = "+25078812345" + random.nextInt(10);
            List<Object> payment = List.of(provider, order, cents, phone);

            List<Object> before = seen.putIfAbsent(
                    PaymentKey.request("acme", provider, order, amount, Phone.of(phone))
                            .key(),
                    payment);

            repeated += before == null ? 0 : 1;
            assertThat(before).isIn(null, payment);
        }
        assertThat(repeated).isPositive();
        assertThat(seen).hasSizeGreaterThan(10_000);
    }
}
