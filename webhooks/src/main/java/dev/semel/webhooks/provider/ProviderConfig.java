// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.webhooks.signature.SigningKeys;
import dev.semel.webhooks.signature.Tolerance;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The settings of one provider, by the names that semel.yml has for them. Shows no value in {@code toString()}: most are
 * secrets.
 *
 * <pre>{@code
 * Provider stripe = Providers.of("stripe", ProviderConfig.secrets("whsec_...").with("tolerance_seconds", "300"));
 * }</pre>
 */
public final class ProviderConfig {
    private final Map<String, List<String>> options;
    private final Optional<CertificateFetch> fetch;
    private final Set<X509Certificate> trusted;

    private ProviderConfig(
            Map<String, List<String>> options, Optional<CertificateFetch> fetch, Set<X509Certificate> trusted) {
        this.options = options;
        this.fetch = fetch;
        this.trusted = trusted;
    }

    /** No settings: nothing can be verified. */
    public static ProviderConfig none() {
        return new ProviderConfig(Map.of(), Optional.empty(), Set.of());
    }

    /** The secrets that deliveries may be signed with: while one is being replaced, both. */
    public static ProviderConfig secrets(String... secrets) {
        return none().with("secrets", secrets);
    }

    /** As this, with another setting. */
    public ProviderConfig with(String name, String... values) {
        Map<String, List<String>> more = new LinkedHashMap<>(options);
        more.put(name, List.of(values));
        return new ProviderConfig(more, fetch, trusted);
    }

    /** As this, with another way to fetch a sender's certificates. */
    public ProviderConfig fetchingBy(CertificateFetch other) {
        return new ProviderConfig(options, Optional.of(other), trusted);
    }

    /** As this, trusting certificates that these have signed, or that are one of these, and no others. */
    public ProviderConfig trusting(Set<X509Certificate> anchors) {
        return new ProviderConfig(options, fetch, Set.copyOf(anchors));
    }

    Optional<CertificateFetch> fetch() {
        return fetch;
    }

    Set<X509Certificate> trusted() {
        return trusted;
    }

    List<String> all(String name) {
        return options.getOrDefault(name, List.of());
    }

    Optional<String> one(String name) {
        List<String> values = all(name);
        if (values.size() > 1) {
            throw new IllegalArgumentException(name + " must be one value, but there are " + values.size());
        }
        return values.stream().findFirst();
    }

    List<String> secrets() {
        return all("secrets");
    }

    SigningKeys keys() {
        return SigningKeys.utf8(secrets());
    }

    /** {@code tolerance_seconds} and {@code future_tolerance_seconds}; 0 for the first is any age. */
    Tolerance tolerance(Duration otherwise) {
        Tolerance usual = Tolerance.of(otherwise);
        return new Tolerance(
                seconds("tolerance_seconds").orElse(usual.past()),
                seconds("future_tolerance_seconds").orElse(usual.future()));
    }

    Optional<Duration> seconds(String name) {
        return one(name).map(text -> {
            if (!text.matches("[0-9]{1,9}")) {
                throw new IllegalArgumentException(name + " must be a number of seconds");
            }
            return Duration.ofSeconds(Long.parseLong(text));
        });
    }

    /** @throws IllegalArgumentException if there is a setting that is none of these */
    void check(String provider, Set<String> known) {
        for (String name : options.keySet()) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("The webhook provider %s has no setting %s; it has %s"
                        .formatted(provider, name, String.join(", ", new TreeSet<>(known))));
            }
        }
    }

    @Override
    public String toString() {
        return "ProviderConfig" + options.keySet();
    }
}
