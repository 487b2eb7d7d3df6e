// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Semel;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.webhooks.WebhookAnswer;
import dev.semel.webhooks.WebhookGate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Passes any delivery to one provider. An unreadable delivery throws only {@link BadDeliveryException}, only a signed
 * delivery is verified, equal deliveries have equal events, and the gate processes each event once.
 */
final class ProviderTarget implements Consumer<byte[]> {
    private static final Secrets SECRETS = Secrets.of(Secret.of("0123456789abcdef0123456789abcdef"));

    /** The store is replaced after this many deliveries, because a fuzz test makes millions. */
    private static final int DELIVERIES_A_STORE = 1_000;

    private static final int CHECKED_EVENTS = 8;

    /** These sign parts of the body, or its fields in any order, so a changed body may be verified. */
    private static final Set<String> SIGNING_FIELDS = Set.of("adyen", "twilio");

    private static final Map<String, Supplier<ProviderContract>> CONTRACTS = Map.ofEntries(
            Map.entry("adyen", AdyenTest::new),
            Map.entry("cloudevents", CloudEventsTest::new),
            Map.entry("custom", CustomTest::new),
            Map.entry("github", GitHubTest::new),
            Map.entry("momo", MomoTest::new),
            Map.entry("paddle", PaddleTest::new),
            Map.entry("paypal", PayPalTest::new),
            Map.entry("paystack", PaystackTest::new),
            Map.entry("razorpay", RazorpayTest::new),
            Map.entry("sendgrid", SendGridTest::new),
            Map.entry("shopify", ShopifyTest::new),
            Map.entry("slack", SlackTest::new),
            Map.entry("square", SquareTest::new),
            Map.entry("standard-webhooks", StandardWebhooksTest::new),
            Map.entry("stripe", StripeTest::new),
            Map.entry("svix", StandardWebhooksTest::new),
            Map.entry("toss", TossTest::new),
            Map.entry("twilio", TwilioTest::new),
            Map.entry("whatsapp", WhatsAppTest::new));

    private final String type;
    private final List<Signed> signed;
    private final List<Provider> reading;
    private final AtomicInteger handled = new AtomicInteger();
    private Semel semel = engine();
    private List<WebhookGate> gates = List.of();
    private int deliveries;

    /** A signed delivery with providers that must accept it and must refuse it. */
    private record Signed(SignedDelivery sample, Provider right, Optional<Provider> wrong) {}

    ProviderTarget(String type) {
        this.type = type;
        this.signed = CONTRACTS.get(type).get().signed().stream()
                .map(sample -> new Signed(sample, sample.by().apply(List.of(sample.secret())), wrong(sample)))
                .toList();
        this.reading = configurations(type).stream()
                .map(config -> Providers.of(type, config))
                .toList();
    }

    /** The fuzz test of this provider. */
    static String fuzzTest(String type) {
        StringBuilder name = new StringBuilder();
        for (String word : type.split("-", -1)) {
            name.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
        }
        return name + "Fuzz";
    }

    @Override
    public void accept(byte[] input) {
        WebhookRequest request = RawDelivery.read(input);
        for (Signed one : signed) {
            verify(request, one);
        }
        for (Provider provider : reading) {
            handshake(provider, request);
            assertThat(events(provider, request)).isEqualTo(events(provider, request));
        }
        deliver(request);
    }

    private void verify(WebhookRequest request, Signed one) {
        Instant at = one.sample().at();
        assertThat(ProviderContract.verify(one.right(), request, at)).isNotNull();
        one.wrong().ifPresent(wrong -> {
            assertNotVerified(wrong, request, at);
            assertNotVerified(wrong, one.sample().request(), at);
        });
        // The signed headers with another body.
        boolean same = Arrays.equals(request.body(), one.sample().body());
        if (!same && !SIGNING_FIELDS.contains(type)) {
            assertNotVerified(one.right(), one.sample().withBody(request.body()), at);
        }
    }

    private static void assertNotVerified(Provider provider, WebhookRequest request, Instant at) {
        assertThat(ProviderContract.verify(provider, request, at)).isNotInstanceOf(Verification.Verified.class);
    }

    private static void handshake(Provider provider, WebhookRequest request) {
        try {
            provider.handshake(request)
                    .ifPresent(answer -> assertThat(answer.text().length())
                            .isLessThanOrEqualTo(request.url().length() + request.body().length));
        } catch (BadDeliveryException e) {
            assertThat(e).hasMessageMatching("(?s).{1,300}");
        }
    }

    /** Everything read from the events, or the reason why they cannot be read. */
    private static List<Object> events(Provider provider, WebhookRequest request) {
        List<Object> found = new ArrayList<>();
        List<Fragment> fragments;
        try {
            fragments = provider.split(request);
        } catch (BadDeliveryException e) {
            return List.of(String.valueOf(e.getMessage()));
        }
        assertThat(fragments).hasSizeLessThanOrEqualTo(request.body().length + 1);
        for (Fragment fragment : fragments.subList(0, Math.min(CHECKED_EVENTS, fragments.size()))) {
            byte[] payload = fragment.payload();
            Object keys = keys(provider, request, fragment);
            assertThat(payload.length).isLessThanOrEqualTo(2 * request.body().length + 64);
            assertThat(fragment).hasToString("Fragment[" + payload.length + " bytes]");
            found.add(keys);
            found.add(payment(provider, request, fragment));
            found.add(Arrays.hashCode(payload));
            if (fragments.size() > 1) {
                alone(provider, RawDelivery.withBody(request, payload), keys);
            }
        }
        return found;
    }

    /** An excerpt that is delivered alone is the same event. */
    private static void alone(Provider provider, WebhookRequest excerpt, Object keys) {
        List<Fragment> fragments = provider.split(excerpt);
        assertThat(fragments).hasSize(1);
        assertThat(keys(provider, excerpt, fragments.get(0))).isEqualTo(keys);
    }

    private static Object keys(Provider provider, WebhookRequest request, Fragment fragment) {
        try {
            EventKeys keys = provider.keys(request, fragment.json());
            return List.of(keys.key(), keys.aliases(), keys.signedAliases(), keys.strength());
        } catch (BadDeliveryException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static Object payment(Provider provider, WebhookRequest request, Fragment fragment) {
        try {
            return provider.payment(request, fragment.json());
        } catch (BadDeliveryException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** Delivers twice. The second delivery must not call the handler. */
    private void deliver(WebhookRequest request) {
        if (deliveries++ % DELIVERIES_A_STORE == 0) {
            semel.close();
            semel = engine();
            gates = reading.stream().map(this::gate).toList();
        }
        for (WebhookGate gate : gates) {
            WebhookAnswer first = answer(gate, request);
            int before = handled.get();
            WebhookAnswer second = answer(gate, request);
            assertThat(handled).hasValue(before);
            assertThat(second.status()).isEqualTo(first.status());
        }
    }

    private static WebhookAnswer answer(WebhookGate gate, WebhookRequest request) {
        try {
            WebhookAnswer answer = gate.receive(request).toCompletableFuture().get(10, TimeUnit.SECONDS);
            // An unexpected failure would be answered as unavailable.
            assertThat(answer.kind()).isNotIn(WebhookAnswer.Kind.UNAVAILABLE, WebhookAnswer.Kind.FAILED);
            assertThat(answer.body())
                    .hasSizeLessThan(2 * request.body().length + request.url().length() + 1_024);
            return answer;
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("The gate did not answer", e);
        }
    }

    private WebhookGate gate(Provider provider) {
        return WebhookGate.on(semel).acceptingUnverified().build(type, provider, event -> {
            handled.incrementAndGet();
            return CompletableFuture.completedFuture(null);
        });
    }

    private static Semel engine() {
        return Semel.on(new MemoryClaimStore())
                .secrets(SECRETS)
                .withoutSweep()
                .withoutReplayCache()
                .build();
    }

    /** A provider whose secret differs in one character. Empty if no such change is a valid secret. */
    private static Optional<Provider> wrong(SignedDelivery sample) {
        String secret = sample.secret();
        for (int i = secret.length() - 1; i >= 0; i--) {
            try {
                String changed = secret.substring(0, i) + (char) (secret.charAt(i) ^ 1) + secret.substring(i + 1);
                return Optional.of(sample.by().apply(List.of(changed)));
            } catch (IllegalArgumentException e) {
                // Not a valid secret: try the next change.
            }
        }
        return Optional.empty();
    }

    private static List<ProviderConfig> configurations(String type) {
        ProviderConfig none = ProviderConfig.none();
        return switch (type) {
            case "whatsapp" ->
                List.of(none.with("verify_token", "token"), none.with("fallback", "signature_and_payload"));
            case "momo" -> List.of(none, none.with("fallback", "signature_and_payload"));
            case "cloudevents" -> List.of(none, none.with("allowed_origins", "hooks.example"));
            case "custom" ->
                List.of(
                        none,
                        none.with("items", "/events")
                                .with("key", "/id", "header:X-Event-Id")
                                .with("payment.when", "/type=paid")
                                .with("payment.transaction", "/transaction"),
                        none.with("payment.when", "/type=asked")
                                .with("payment.order", "/order")
                                .with("payment.amount", "/amount")
                                .with("payment.phone", "/phone")
                                .with("payment.region", "CH"));
            default -> List.of(none);
        };
    }
}
