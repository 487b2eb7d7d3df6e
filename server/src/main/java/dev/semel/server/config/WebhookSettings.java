// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import dev.semel.webhooks.InFlight;
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
 * The settings of a webhook provider.
 *
 * @param type the provider's type: a built-in name or custom
 * @param options the settings that belong to the provider's type, by name
 * @param provider created from the options, so that errors are reported at the start
 * @param tenants the tenants that deliveries may be addressed to; empty if not set
 * @param urlSecret the last segment of the URL, for providers that do not sign
 * @param ttl how long keys are kept
 * @param lease the time after which another delivery takes over from a crashed process
 */
public record WebhookSettings(
        String type,
        Map<String, List<SecretText>> options,
        Provider provider,
        List<String> tenants,
        Optional<SecretText> urlSecret,
        Optional<Duration> ttl,
        SinkSettings sink,
        InFlight inFlight,
        Duration lease) {
    private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}";
    private static final int MIN_URL_SECRET = 16;
    private static final int MAX_TENANTS = 1_000;
    private static final int LONGEST_TENANT = 255;
    private static final int MAX_LEASES = 12;
    private static final Duration DEFAULT_LEASE = Duration.ofMinutes(1);
    private static final SinkSettings INBOX = new SinkSettings(Optional.empty(), Duration.ofSeconds(8));

    /** Where events go: to the inbox, or forwarded to a URL. */
    public record SinkSettings(Optional<URI> forward, Duration timeout) {}

    static Map<String, WebhookSettings> read(SettingsSection section) {
        Map<String, WebhookSettings> all = new LinkedHashMap<>();
        section.named().forEach((name, provider) -> all.put(name, one(name, provider)));
        return Map.copyOf(all);
    }

    /**
     * Returns the settings of a built-in provider that is not configured. Nothing is verified, and events go to the
     * inbox.
     */
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
                DEFAULT_LEASE);
    }

    private static WebhookSettings one(String name, SettingsSection section) {
        if (!name.matches(NAME)) {
            throw new ConfigException(section.here()
                    + " must have a name of 1 to 64 letters, digits, dots, hyphens or"
                    + " underscores, because it is part of the URL");
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
                        .orElse(DEFAULT_LEASE));
        section.done();
        boolean outlived = webhook.lease()
                        .multipliedBy(MAX_LEASES)
                        .compareTo(webhook.sink().timeout())
                < 0;
        if (webhook.sink().forward().isPresent() && outlived) {
            throw new ConfigException(section.at("lease_seconds")
                    + " must be at least a twelfth of sink.timeout_seconds: a claim is renewed for"
                    + " twelve leases, and a longer request would be forwarded again while it is in"
                    + " progress");
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
        // A sender needs only this secret to send events. It is part of a path, so only characters that need no escape
        // are
        // allowed.
        if (!value.text().matches("[A-Za-z0-9_-]{%d,200}".formatted(MIN_URL_SECRET))) {
            throw value.wrong(("must have %d to 200 letters, digits, hyphens or underscores: create one with"
                            + " `openssl rand -hex 24`")
                    .formatted(MIN_URL_SECRET));
        }
        return new SecretText(value.text());
    }

    private static SinkSettings sinkIn(SettingsSection section) {
        if (!section.isSection("sink")) {
            section.value("sink").filter(value -> !value.text().equals("inbox")).ifPresent(value -> {
                throw value.wrong("must be inbox or {forward: \"http://...\"}");
            });
            return INBOX;
        }
        SettingsSection sink = section.section("sink");
        Optional<URI> forward = sink.value("forward").map(WebhookSettings::target);
        if (forward.isEmpty()) {
            throw new ConfigException(sink.at("forward") + " is required: a sink is inbox or has a URL to forward to");
        }
        Duration timeout = sink.value("timeout_seconds")
                .map(value -> value.seconds(1, 600))
                .orElse(INBOX.timeout());
        sink.done();
        return new SinkSettings(forward, timeout);
    }

    private static URI target(SettingValue value) {
        URI url = value.url(List.of("http", "https"));
        if (url.getRawUserInfo() != null) {
            throw value.wrong("must not contain a user or a password");
        }
        return url;
    }
}
