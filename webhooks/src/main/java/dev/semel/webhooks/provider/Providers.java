// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The list of all providers. A new provider is one class and one line here. */
public final class Providers {
    private static final Set<String> SECRETS = Set.of("secrets");
    private static final Set<String> TOLERANCE = Set.of("tolerance_seconds", "future_tolerance_seconds");
    private static final Set<String> TIMED = with(TOLERANCE, "secrets");

    private static final Map<String, Kind> KINDS = new TreeMap<>(Map.ofEntries(
            kind("paypal", PayPal::new, with(TOLERANCE, "webhook_id", "certificate")),
            kind("toss", Toss::new, SECRETS),
            kind("whatsapp", WhatsApp::new, with(SECRETS, "verify_token", "fallback")),
            kind("momo", Momo::new, Set.of("fallback")),
            kind("stripe", Stripe::new, TIMED),
            kind("github", GitHub::new, SECRETS),
            kind("shopify", Shopify::new, SECRETS),
            kind("adyen", Adyen::new, SECRETS),
            kind("square", Square::new, with(SECRETS, "url")),
            kind("slack", Slack::new, TIMED),
            kind("twilio", Twilio::new, with(SECRETS, "url")),
            kind("sendgrid", SendGrid::new, with(TOLERANCE, "public_keys")),
            kind("razorpay", Razorpay::new, SECRETS),
            kind("paystack", Paystack::new, SECRETS),
            kind("paddle", Paddle::new, TIMED),
            kind("standard-webhooks", StandardWebhooks::new, StandardWebhooks.SETTINGS),
            kind("svix", StandardWebhooks::new, StandardWebhooks.SETTINGS),
            kind("cloudevents", CloudEvents::new, Set.of("allowed_origins")),
            kind("custom", Custom::new, Custom.SETTINGS)));

    private Providers() {}

    /** The types of all providers. Any other sender has the type {@code custom}. */
    public static Set<String> names() {
        return new TreeSet<>(KINDS.keySet());
    }

    /** The names of the settings of this type. */
    public static Set<String> settings(String type) {
        return kind(type).settings();
    }

    /**
     * Makes a provider of this type.
     *
     * @throws IllegalArgumentException if the type is unknown or a setting is wrong
     */
    public static Provider of(String type, ProviderConfig config) {
        Kind kind = kind(type);
        config.check(type, kind.settings());
        return kind.make().apply(config);
    }

    private static Kind kind(String type) {
        Kind kind = KINDS.get(type);
        if (kind == null) {
            throw new IllegalArgumentException(
                    "Unknown webhook provider %s: use one of %s; any other sender has the type custom"
                            .formatted(type, String.join(", ", KINDS.keySet())));
        }
        return kind;
    }

    private static Map.Entry<String, Kind> kind(
            String type, Function<ProviderConfig, Provider> make, Set<String> settings) {
        return Map.entry(type, new Kind(make, settings));
    }

    private static Set<String> with(Set<String> settings, String... more) {
        return Stream.concat(settings.stream(), Stream.of(more)).collect(Collectors.toUnmodifiableSet());
    }

    private record Kind(Function<ProviderConfig, Provider> make, Set<String> settings) {}
}
