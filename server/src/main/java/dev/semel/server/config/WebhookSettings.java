// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import dev.semel.webhooks.WebhookGate;
import dev.semel.webhooks.provider.Provider;
import dev.semel.webhooks.provider.Providers;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A webhook provider.
 *
 * @param type the provider's kind: its own name if there is one, otherwise custom
 * @param options what the kind itself has settings for, by the names of its configuration
 * @param provider made of them, so that what is wrong with them is said at the start
 * @param tenants whose address deliveries may come to; empty where nobody said
 * @param urlSecret for providers that sign nothing: the last part of the only address
 * @param ttl how long keys are kept
 * @param lease after how long another delivery takes over from a process that died
 */
public record WebhookSettings(
        String type,
        Map<String, List<SecretText>> options,
        Provider provider,
        List<String> tenants,
        Optional<SecretText> urlSecret,
        Optional<Duration> ttl,
        Sink sink,
        InFlight inFlight,
        Duration lease) {
    private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}";
    private static final int SHORTEST_URL_SECRET = 16;
    private static final int MAX_TENANTS = 1_000;
    private static final int LONGEST_TENANT = 255;
    private static final int MAX_LEASES = 12;
    private static final Duration USUAL_LEASE = Duration.ofMinutes(1);
    private static final Sink INBOX = new Sink(Optional.empty(), Duration.ofSeconds(8));

    /** What is done with an event: kept in the inbox, or sent on. */
    public record Sink(Optional<URI> forward, Duration timeout) {}

    /** What a duplicate of a running delivery gets. */
    public enum InFlight {
        WAIT,
        ACK
    }

    static Map<String, WebhookSettings> read(SettingsSection section) {
        Map<String, WebhookSettings> all = new LinkedHashMap<>();
        section.named().forEach((name, provider) -> all.put(name, one(name, provider)));
        return Map.copyOf(all);
    }

    /** A built-in provider that nobody configured: nothing can be verified, and events go to the inbox. */
    public static WebhookSettings unconfigured(String type) {
        return new WebhookSettings(
                type,
                Map.of(),
                WebhookOptions.none(type),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                INBOX,
                InFlight.WAIT,
                USUAL_LEASE);
    }

    private static WebhookSettings one(String name, SettingsSection section) {
        if (!name.matches(NAME)) {
            throw new ConfigException(
                    section.here()
                            + " must have a name of 1 to 64 letters, digits, points, hyphens or underscores: it stands in the address");
        }
        String type = section.value("type")
                .map(WebhookSettings::known)
                .orElse(Providers.names().contains(name) ? name : "custom");
        WebhookOptions options = WebhookOptions.read(type, section);
        WebhookSettings webhook = new WebhookSettings(
                type,
                options.values(),
                options.provider(),
                tenants(section),
                section.value("url_secret").map(WebhookSettings::unguessable),
                section.value("ttl_hours").map(SettingValue::hours),
                sinkIn(section),
                section.value("in_flight")
                        .map(value -> value.oneOf(InFlight.class))
                        .orElse(InFlight.WAIT),
                section.value("lease_seconds")
                        .map(value -> value.seconds(1, 3_600))
                        .orElse(USUAL_LEASE));
        section.done();
        boolean outlived = webhook.lease()
                        .multipliedBy(MAX_LEASES)
                        .compareTo(webhook.sink().timeout())
                < 0;
        if (webhook.sink().forward().isPresent() && outlived) {
            throw new ConfigException(section.at("lease_seconds")
                    + " must be at least a twelfth of sink.timeout_seconds: a claim is renewed for twelve leases, and what runs"
                    + " longer would be forwarded a second time beside itself");
        }
        return webhook;
    }

    private static List<String> tenants(SettingsSection section) {
        List<SettingValue> values = section.valuesOf("tenants");
        if (values.size() > MAX_TENANTS) {
            throw new ConfigException(section.at("tenants") + " has more than " + MAX_TENANTS + " entries");
        }
        return values.stream().map(WebhookSettings::tenant).distinct().toList();
    }

    private static String tenant(SettingValue value) {
        String tenant = value.required();
        if (tenant.length() > LONGEST_TENANT || tenant.chars().anyMatch(Character::isISOControl)) {
            throw value.wrong("must have 1 to %d characters and no control characters".formatted(LONGEST_TENANT));
        }
        if (tenant.equals(WebhookGate.RESERVED_TENANT)) {
            throw value.wrong("is reserved: choose another name");
        }
        return tenant;
    }

    private static String known(SettingValue value) {
        if (!Providers.names().contains(value.text())) {
            throw value.wrong("must be one of "
                    + String.join(", ", Providers.names())
                    + NearestName.to(value.text(), Providers.names())
                            .map(near -> ": did you mean " + near + "?")
                            .orElse(""));
        }
        return value.text();
    }

    private static SecretText unguessable(SettingValue value) {
        // Whoever guesses it may send events. It stands in a path, so that nothing in it needs an escape.
        if (!value.text().matches("[A-Za-z0-9_-]{%d,200}".formatted(SHORTEST_URL_SECRET))) {
            throw value.wrong(
                    "must have %d to 200 letters, digits, hyphens or underscores: make one with `openssl rand -hex 24`"
                            .formatted(SHORTEST_URL_SECRET));
        }
        return new SecretText(value.text());
    }

    private static Sink sinkIn(SettingsSection section) {
        if (!section.isSection("sink")) {
            section.value("sink").filter(value -> !value.text().equals("inbox")).ifPresent(value -> {
                throw value.wrong("must be inbox, or {forward: \"http://...\"}");
            });
            return INBOX;
        }
        SettingsSection sink = section.section("sink");
        Optional<URI> forward = sink.value("forward").map(WebhookSettings::target);
        if (forward.isEmpty()) {
            throw new ConfigException(sink.at("forward") + " is missing: a sink is inbox, or has a URL to forward to");
        }
        Duration timeout = sink.value("timeout_seconds")
                .map(value -> value.seconds(1, 600))
                .orElse(INBOX.timeout());
        sink.done();
        return new Sink(forward, timeout);
    }

    private static URI target(SettingValue value) {
        URI url = value.url(List.of("http", "https"));
        if (url.getRawUserInfo() != null) {
            throw value.wrong("must not hold a user or a password");
        }
        return url;
    }
}
