// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.webhooks.signature.Encoding;
import dev.semel.webhooks.signature.HeaderPairs;
import dev.semel.webhooks.signature.Tolerance;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads any settings, one on each line, such as {@code signature.content=...}. The result is a provider or an
 * {@link IllegalArgumentException}. Also parses any text as a signature, a timestamp and pairs.
 */
final class SettingsTarget {
    private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);
    private static final WebhookRequest DELIVERY =
            SignedDelivery.request(Map.of("X-Signature", "00ff", "X-Timestamp", "1700000000"), "{\"id\":1}");

    private SettingsTarget() {}

    static void accept(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        ProviderConfig config = config(text);
        for (String type : Providers.names()) {
            Provider provider;
            try {
                provider = Providers.of(type, config);
            } catch (IllegalArgumentException e) {
                assertThat(e.getMessage()).isNotEmpty();
                continue;
            }
            assertThat(provider.ttl()).isPositive();
            assertThat(ProviderContract.verify(provider, DELIVERY, NOW))
                    .isNotInstanceOf(Verification.Unavailable.class);
        }
        encodings(text);
        times(text);
        pairs(text);
    }

    private static ProviderConfig config(String text) {
        ProviderConfig config = ProviderConfig.none();
        for (String line : text.split("\n", 32)) {
            int equals = line.indexOf('=');
            if (equals > 0) {
                config = config.with(
                        line.substring(0, equals), line.substring(equals + 1).split("\\|", 4));
            }
        }
        return config;
    }

    private static void encodings(String text) {
        for (Encoding encoding : Encoding.values()) {
            encoding.decode(text)
                    .ifPresent(bytes -> assertThat(encoding.encode(bytes)).isEqualTo(text));
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            assertThat(encoding.decode(encoding.encode(utf8)))
                    .hasValueSatisfying(bytes -> assertThat(bytes).isEqualTo(utf8));
        }
    }

    private static void times(String text) {
        if (Tolerance.of(Duration.ofMinutes(5)).allows(text, NOW)) {
            assertThat(Long.parseLong(text)).isBetween(NOW.getEpochSecond() - 300, NOW.getEpochSecond() + 60);
        }
    }

    private static void pairs(String text) {
        HeaderPairs.of(text, ",", '=').ifPresent(pairs -> {
            List<String> values = new ArrayList<>();
            for (String part : text.split(",", -1)) {
                values.addAll(pairs.all(part.substring(0, part.indexOf('='))));
            }
            assertThat(values).isNotEmpty().allSatisfy(value -> assertThat(text).contains(value));
        });
    }
}
