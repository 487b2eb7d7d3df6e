// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** The contract of every provider. The test of a new provider extends it and adds its own cases. */
abstract class ProviderContract {
    /** Bits to flip in one byte: they change its value, its case or its highest bit. */
    private static final int[] CHANGES = {0x01, 0x20, 0x80};

    /** Deliveries signed by the sender. Empty if the sender does not sign. */
    abstract List<SignedDelivery> signed();

    /** A delivery with one event, signed or not. */
    abstract WebhookRequest event();

    /** The key of that event. */
    abstract String key();

    /** A delivery without a key. Empty if the provider has a fallback. */
    abstract List<WebhookRequest> withoutKey();

    /** The provider without any settings. */
    abstract Provider provider();

    @Test
    void aSignedDeliveryIsVerified() {
        for (SignedDelivery sample : signed()) {
            assertThat(verify(right(sample), sample.request(), sample.at())).isInstanceOf(Verification.Verified.class);
        }
    }

    @Test
    void everyByteOfTheBodyCounts() {
        for (SignedDelivery sample : signed()) {
            Provider provider = right(sample);
            for (int i = 0; i < sample.body().length; i++) {
                if (!sample.covered().test(i)) {
                    continue;
                }
                for (int change : CHANGES) {
                    byte[] body = sample.body().clone();
                    body[i] ^= (byte) change;
                    assertRefused(provider, sample.withBody(body), sample.at(), "byte " + i + " ^ " + change);
                }
            }
            byte[] longer = Arrays.copyOf(sample.body(), sample.body().length + 1);
            assertRefused(provider, sample.withBody(longer), sample.at(), "one byte more");
            assertRefused(provider, sample.withBody(new byte[0]), sample.at(), "no body");
        }
    }

    @Test
    void everyByteOfEveryHeaderCounts() {
        for (SignedDelivery sample : signed()) {
            Provider provider = right(sample);
            sample.headers().forEach((name, value) -> {
                for (int i = 0; i < value.length(); i++) {
                    for (int change : CHANGES) {
                        String changed =
                                value.substring(0, i) + (char) (value.charAt(i) ^ change) + value.substring(i + 1);
                        assertRefused(provider, sample.with(name, changed), sample.at(), name + " at " + i);
                    }
                }
                assertRefused(provider, sample.without(name), sample.at(), "without " + name);
                assertRefused(provider, sample.with(name, ""), sample.at(), "empty " + name);
                assertRefused(provider, sample.with(name, value + "0"), sample.at(), "longer " + name);
            });
        }
    }

    @Test
    void everyByteOfTheSecretCounts() {
        for (SignedDelivery sample : signed()) {
            for (int i = 0; i < sample.secret().length(); i++) {
                for (int change : new int[] {0x01, 0x20}) {
                    String secret = sample.secret();
                    String changed =
                            secret.substring(0, i) + (char) (secret.charAt(i) ^ change) + secret.substring(i + 1);
                    Provider provider;
                    try {
                        provider = sample.by().apply(List.of(changed));
                    } catch (IllegalArgumentException e) {
                        continue;
                    }
                    assertRefused(provider, sample.request(), sample.at(), "secret at " + i);
                }
            }
        }
    }

    @Test
    void aTimestampMustNotBeTooOldOrInTheFuture() {
        for (SignedDelivery sample : signed()) {
            if (!sample.timed()) {
                continue;
            }
            Provider provider = right(sample);
            Duration past = Duration.ofMinutes(5);
            Duration future = Duration.ofSeconds(60);
            assertThat(verify(provider, sample.request(), sample.at().plus(past)))
                    .isInstanceOf(Verification.Verified.class);
            assertThat(verify(provider, sample.request(), sample.at().minus(future)))
                    .isInstanceOf(Verification.Verified.class);
            assertRefused(provider, sample.request(), sample.at().plus(past).plusSeconds(1), "too old");
            assertRefused(provider, sample.request(), sample.at().minus(future).minusSeconds(1), "too new");
        }
    }

    @Test
    void anyTextAsASignatureIsRefused() {
        Random random = new Random(7);
        for (SignedDelivery sample : signed()) {
            Provider provider = right(sample);
            for (String name : sample.headers().keySet()) {
                for (int round = 0; round < 200; round++) {
                    String garbage = random.ints(random.nextInt(1, 80), 0x20, 0x17f)
                            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                            .toString();
                    assertRefused(provider, sample.with(name, garbage), sample.at(), "garbage in " + name);
                }
            }
        }
    }

    @Test
    void theSignatureHeadersCarryTheSignature() {
        for (SignedDelivery sample : signed()) {
            Provider provider = right(sample);
            if (sample.headers().isEmpty()) {
                continue;
            }
            List<String> carrying = sample.headers().keySet().stream()
                    .filter(provider::isSignature)
                    .toList();
            assertThat(carrying).isNotEmpty();
            carrying.forEach(name -> assertRefused(provider, sample.without(name), sample.at(), "without " + name));
            assertThat(provider.signatureHeaders()).allMatch(name -> name.equals(name.toLowerCase(Locale.ROOT)));
        }
    }

    @Test
    void withoutASecretADeliveryIsUnsigned() {
        assertThat(verify(provider(), event(), Instant.EPOCH)).isEqualTo(Verification.UNSIGNED);
        assertThat(provider().verifies()).isFalse();
        assertThat(signed())
                .allSatisfy(sample -> assertThat(right(sample).verifies()).isTrue());
        assertThat(signed().isEmpty() && provider().signsAll()).isFalse();
    }

    @Test
    void anEventHasItsKey() {
        assertThat(keys(event())).extracting(EventKeys::key).containsExactly(key());
    }

    @Test
    void aDeliveryWithoutAKeyIsBad() {
        for (WebhookRequest bad : withoutKey()) {
            assertThatThrownBy(() -> keys(bad)).isInstanceOf(BadDeliveryException.class);
        }
    }

    @Test
    void anInvalidDocumentIsABadDelivery() {
        WebhookRequest event = event();
        WebhookRequest broken =
                new WebhookRequest("POST", event.url(), DeliveryHeaders.single(Map.of()), new byte[] {'{'}, "acme");
        assertThatThrownBy(() -> keys(broken)).isInstanceOf(BadDeliveryException.class);
    }

    @Test
    void keysAreKeptForAtLeastADay() {
        assertThat(provider().ttl()).isGreaterThanOrEqualTo(Duration.ofDays(1));
        assertThat(provider().answerWithin()).isGreaterThan(Duration.ofSeconds(1));
    }

    List<EventKeys> keys(WebhookRequest request) {
        List<EventKeys> keys = new ArrayList<>();
        Provider provider = provider();
        provider.split(request).forEach(part -> keys.add(provider.keys(request, part.json())));
        return keys;
    }

    List<Payment> payments(WebhookRequest request) {
        List<Payment> payments = new ArrayList<>();
        Provider provider = provider();
        provider.split(request)
                .forEach(part -> provider.payment(request, part.json()).ifPresent(payments::add));
        return payments;
    }

    private static Provider right(SignedDelivery sample) {
        return sample.by().apply(List.of(sample.secret()));
    }

    private static void assertRefused(Provider provider, WebhookRequest request, Instant at, String what) {
        assertThat(verify(provider, request, at)).as(what).isInstanceOf(Verification.Refused.class);
    }

    static Verification verify(Provider provider, WebhookRequest request, Instant at) {
        try {
            return provider.signature()
                    .verify(request, at)
                    .toCompletableFuture()
                    .get(60, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("The verification did not complete", e);
        }
    }
}
