// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * Finds the certificate of a PayPal delivery: the pinned one, or the one at the URL in the delivery. The delivery is not
 * verified yet, so its URL can only select one of PayPal's own certificates: other hosts, ports and paths are never
 * contacted.
 */
final class PayPalCertificates {
    private static final Set<String> HOSTS =
            Set.of("api.paypal.com", "api.sandbox.paypal.com", "api-m.paypal.com", "api-m.sandbox.paypal.com");
    private static final String PATH = "/v1/notifications/certs/[A-Za-z0-9_-]{1,128}";
    private static final String NAME = "messageverificationcerts";
    private static final String DOMAIN = ".paypal.com";

    /** Unverified deliveries may contain any number of URLs, so concurrent fetches and cached certificates are limited. */
    private static final int MAX_FETCHES = 4;

    private static final int MAX_KEPT = 64;

    /** The outcome of the search. */
    sealed interface Found {
        record Trusted(X509Certificate certificate) implements Found {}

        record Not(Verification because) implements Found {}
    }

    private final Optional<List<X509Certificate>> pinned;
    private final CertificateFetch fetch;
    private final TrustedChain trust;
    private final ConcurrentHashMap<URI, List<X509Certificate>> fetched = new ConcurrentHashMap<>();
    private final Semaphore fetches = new Semaphore(MAX_FETCHES);

    PayPalCertificates(ProviderConfig config) {
        this.pinned = config.one("certificate").map(pem -> read(pem.getBytes(StandardCharsets.US_ASCII)));
        this.fetch = config.fetch().orElseGet(HttpCertificateFetch::new);
        this.trust = pinned.map(chain -> TrustedChain.by(Set.of(chain.get(0))))
                .orElseGet(
                        () -> config.trusted().isEmpty() ? TrustedChain.byTheJdk() : TrustedChain.by(config.trusted()));
    }

    CompletionStage<Found> of(DeliveryHeaders headers, Instant now) {
        if (pinned.isPresent()) {
            return CompletableFuture.completedFuture(trusted(pinned.get(), now));
        }
        Optional<URI> address = headers.one("PAYPAL-CERT-URL").flatMap(PayPalCertificates::allowed);
        if (address.isEmpty()) {
            return refused("the certificate's URL is missing or not allowed");
        }
        List<X509Certificate> known = fetched.get(address.get());
        if (known != null) {
            return CompletableFuture.completedFuture(trusted(known, now));
        }
        if (!fetches.tryAcquire()) {
            return unavailable();
        }
        return fetch(address.get())
                .whenComplete((pem, failure) -> fetches.release())
                .handle((pem, failure) -> failure == null ? keep(address.get(), pem, now) : null)
                .thenCompose(found -> found == null ? unavailable() : CompletableFuture.completedFuture(found));
    }

    private CompletionStage<byte[]> fetch(URI address) {
        try {
            return fetch.fetch(address);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private Found keep(URI address, byte[] pem, Instant now) {
        List<X509Certificate> chain;
        try {
            chain = read(pem);
        } catch (IllegalArgumentException e) {
            return new Found.Not(new Verification.Refused("the certificate cannot be read"));
        }
        Found found = trusted(chain, now);
        if (found instanceof Found.Trusted) {
            if (fetched.size() >= MAX_KEPT) {
                fetched.clear();
            }
            fetched.put(address, chain);
        }
        return found;
    }

    private Found trusted(List<X509Certificate> chain, Instant now) {
        return trust.leads(chain, now) && named(chain.get(0))
                ? new Found.Trusted(chain.get(0))
                : new Found.Not(new Verification.Refused("the certificate is not trusted"));
    }

    /** Accepts only PayPal's certificates for messages, not others of the same authorities. */
    private static boolean named(X509Certificate certificate) {
        return CertificateNames.of(certificate).stream()
                .anyMatch(name -> name.startsWith(NAME + ".") && name.endsWith(DOMAIN));
    }

    private static Optional<URI> allowed(String text) {
        try {
            URI address = new URI(text);
            boolean ours = "https".equals(address.getScheme())
                    && address.getRawAuthority() != null
                    && HOSTS.contains(address.getRawAuthority())
                    && address.getRawQuery() == null
                    && address.getRawFragment() == null
                    && address.getRawPath().matches(PATH);
            return ours ? Optional.of(address) : Optional.empty();
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    private static List<X509Certificate> read(byte[] pem) {
        try {
            List<X509Certificate> chain = new ArrayList<>();
            CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(pem))
                    .forEach(one -> chain.add((X509Certificate) one));
            if (chain.isEmpty()) {
                throw new IllegalArgumentException("The PEM file contains no certificate");
            }
            return List.copyOf(chain);
        } catch (CertificateException e) {
            throw new IllegalArgumentException("A certificate must be a PEM file", e);
        }
    }

    private static CompletionStage<Found> refused(String why) {
        return CompletableFuture.completedFuture(new Found.Not(new Verification.Refused(why)));
    }

    private static CompletionStage<Found> unavailable() {
        return CompletableFuture.completedFuture(
                new Found.Not(new Verification.Unavailable("the sender's certificate is temporarily unavailable")));
    }
}
