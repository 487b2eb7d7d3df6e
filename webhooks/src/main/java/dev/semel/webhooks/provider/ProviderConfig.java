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
 * The settings of one provider, with the same names as in semel.yml. {@code toString()} shows no value, because most are
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

    /** No settings. Deliveries cannot be verified. */
    public static ProviderConfig none() {
        return new ProviderConfig(Map.of(), Optional.empty(), Set.of());
    }

    /** The active secrets of the sender. During a rotation these are two. */
    public static ProviderConfig secrets(String... secrets) {
        return none().with("secrets", secrets);
    }

    /** The same settings with one more. */
    public ProviderConfig with(String name, String... values) {
        Map<String, List<String>> more = new LinkedHashMap<>(options);
        more.put(name, List.of(values));
        return new ProviderConfig(more, fetch, trusted);
    }

    /** The same settings with another way to fetch certificates. */
    public ProviderConfig fetchingBy(CertificateFetch other) {
        return new ProviderConfig(options, Optional.of(other), trusted);
    }

    /** The same settings with other trust anchors: only these certificates, and those signed by them, are trusted. */
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
            throw new IllegalArgumentException(name + " must be one value, but has " + values.size());
        }
        return values.stream().findFirst();
    }

    List<String> secrets() {
        return all("secrets");
    }

    SigningKeys keys() {
        return SigningKeys.utf8(secrets());
    }

    /** Reads {@code tolerance_seconds} (0 means any age) and {@code future_tolerance_seconds}. */
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

    /** @throws IllegalArgumentException if a setting is not one of these */
    void check(String provider, Set<String> known) {
        for (String name : options.keySet()) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("The webhook provider %s has no setting %s; its settings are %s"
                        .formatted(provider, name, String.join(", ", new TreeSet<>(known))));
            }
        }
    }

    @Override
    public String toString() {
        return "ProviderConfig" + options.keySet();
    }
}
