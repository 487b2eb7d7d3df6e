// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A webhook provider, kept for the door that will serve it.
 *
 * @param type the provider's kind; its own name unless said otherwise
 * @param key where a custom provider's dedup key is: JSON pointers, or {@code header:Name}
 * @param items where a custom provider's list of events is
 * @param urlSecret for providers that sign nothing
 */
public record WebhookSettings(
        String type,
        List<Hidden> secrets,
        Optional<String> webhookId,
        Optional<Hidden> urlSecret,
        Optional<Duration> tolerance,
        Optional<Duration> ttl,
        Sink sink,
        Optional<Signature> signature,
        List<String> key,
        Optional<String> items,
        Fallback fallback,
        InFlight inFlight) {

    /** What is done with an event: kept in the inbox, or sent on. */
    public record Sink(Optional<URI> forward, Duration timeout) {}

    /** How a custom provider signs. */
    public record Signature(
            String header, String algorithm, String encoding, String content, Optional<String> timestampHeader) {}

    /** What stands in for a missing key. */
    public enum Fallback {
        PAYLOAD,
        SEED
    }

    /** What a duplicate of a running delivery gets. */
    public enum InFlight {
        WAIT,
        ACK
    }

    static Map<String, WebhookSettings> read(Section section) {
        Map<String, WebhookSettings> all = new LinkedHashMap<>();
        section.named().forEach((name, provider) -> all.put(name, one(name, provider)));
        return Map.copyOf(all);
    }

    private static WebhookSettings one(String name, Section section) {
        WebhookSettings webhook = new WebhookSettings(
                section.value("type").map(Value::required).orElse(name),
                section.valuesOf("secrets").stream()
                        .map(value -> new Hidden(value.required()))
                        .toList(),
                section.value("webhook_id").map(Value::required),
                section.value("url_secret").map(value -> new Hidden(value.required())),
                section.value("tolerance_seconds").map(value -> value.seconds(1, 86_400)),
                section.value("ttl_hours").map(Value::hours),
                sink(section),
                section.isSection("signature")
                        ? Optional.of(signature(section.section("signature")))
                        : Optional.empty(),
                section.valuesOf("key").stream().map(WebhookSettings::keyPlace).toList(),
                section.value("items").map(WebhookSettings::pointer),
                section.value("fallback")
                        .map(value -> value.oneOf(Fallback.class))
                        .orElse(Fallback.PAYLOAD),
                section.value("in_flight")
                        .map(value -> value.oneOf(InFlight.class))
                        .orElse(InFlight.WAIT));
        section.done();
        return webhook;
    }

    private static Sink sink(Section section) {
        Duration usual = Duration.ofSeconds(8);
        if (!section.isSection("sink")) {
            section.value("sink").filter(value -> !value.text().equals("inbox")).ifPresent(value -> {
                throw value.wrong("must be inbox, or {forward: \"http://...\"}");
            });
            return new Sink(Optional.empty(), usual);
        }
        Section sink = section.section("sink");
        Optional<URI> forward = sink.value("forward").map(value -> value.url(List.of("http", "https")));
        if (forward.isEmpty()) {
            throw new ConfigException(sink.at("forward") + " is missing: a sink is inbox, or has a URL to forward to");
        }
        Duration timeout = sink.value("timeout_seconds")
                .map(value -> value.seconds(1, 600))
                .orElse(usual);
        sink.done();
        return new Sink(forward, timeout);
    }

    private static Signature signature(Section section) {
        Signature signature = new Signature(
                section.value("header").map(Value::required).orElse("X-Signature"),
                section.value("algorithm")
                        .map(value -> word(value, "hmac-sha256", "hmac-sha512", "hmac-sha1"))
                        .orElse("hmac-sha256"),
                section.value("encoding")
                        .map(value -> word(value, "hex", "base64"))
                        .orElse("hex"),
                section.value("content").map(Value::required).orElse("{body}"),
                section.value("timestamp_header").map(Value::required));
        section.done();
        return signature;
    }

    private static String word(Value value, String... words) {
        if (!List.of(words).contains(value.text())) {
            throw value.wrong("must be " + String.join(" or ", words));
        }
        return value.text();
    }

    private static String keyPlace(Value value) {
        return value.text().startsWith("header:") && value.text().length() > "header:".length()
                ? value.text()
                : pointer(value);
    }

    private static String pointer(Value value) {
        if (!value.text().startsWith("/")) {
            throw value.wrong("must be a JSON pointer such as /event/id");
        }
        return value.text();
    }
}
