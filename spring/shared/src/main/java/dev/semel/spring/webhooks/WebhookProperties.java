// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.webhooks;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of webhooks.
 *
 * @param webhooks the providers by name
 * @param webhookPath the path below which webhooks are received, without a slash at its end
 * @param webhookThreads how many handlers run at the same time
 */
@ConfigurationProperties("semel")
public record WebhookProperties(
        @DefaultValue Map<String, ProviderProperties> webhooks,
        @DefaultValue("/webhooks") String webhookPath,
        @DefaultValue("8") int webhookThreads) {
    public WebhookProperties {
        if (!webhookPath.matches("(/[A-Za-z0-9._~-]+)+")) {
            throw new IllegalArgumentException(
                    "semel.webhook-path must be a path such as /webhooks, without a slash at its end, but is "
                            + webhookPath);
        }
        if (webhookThreads < 1 || webhookThreads > 1000) {
            throw new IllegalArgumentException("semel.webhook-threads must be 1 to 1000, but is " + webhookThreads);
        }
    }

    /**
     * One provider.
     *
     * @param type the type of provider; by default its name
     * @param secret the secret that the provider signs with
     * @param secrets all active secrets while one is being rotated, instead of {@code secret}
     * @param options further settings of this type, with the names of docs/webhooks.md
     * @param acceptUnverified whether deliveries that cannot be verified are accepted; for development
     * @param tenant the tenant that owns the webhook; by default {@code semel.tenant}
     * @param ttl how long keys are kept; by default as long as the provider retries
     * @param lease after how long another delivery may take over from a process that died
     * @param answerWithin after which time a delivery is answered with 503 although its handler still runs; by default as long as
     *     the provider waits
     * @param maxBytes the maximum size of a body
     */
    public record ProviderProperties(
            @Nullable String type,
            @Nullable String secret,
            @DefaultValue List<String> secrets,
            @DefaultValue Map<String, List<String>> options,
            @DefaultValue("false") boolean acceptUnverified,
            @Nullable String tenant,
            @Nullable Duration ttl,
            @DefaultValue("1m") Duration lease,
            @Nullable Duration answerWithin,
            @DefaultValue("1048576") int maxBytes) {
        private static final int MAX_MAX_BYTES = 64 << 20;

        public ProviderProperties {
            if (answerWithin != null && (answerWithin.isNegative() || answerWithin.isZero())) {
                throw new IllegalArgumentException(
                        "answer-within of a webhook provider must be positive, but is " + answerWithin);
            }
            if (maxBytes < 1 || maxBytes > MAX_MAX_BYTES) {
                throw new IllegalArgumentException("max-bytes of a webhook provider must be 1 to %d, but is %d"
                        .formatted(MAX_MAX_BYTES, maxBytes));
            }
        }

        List<String> allSecrets() {
            return secret == null || secret.isBlank() ? secrets : List.of(secret);
        }

        /** Does not show the secrets. */
        @Override
        public String toString() {
            return "ProviderProperties[" + type + "]";
        }
    }

    /** Does not show the secrets. */
    @Override
    public String toString() {
        return "WebhookProperties[" + webhookPath + ", " + webhooks.keySet() + "]";
    }
}
