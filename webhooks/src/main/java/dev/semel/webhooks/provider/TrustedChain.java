// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertPath;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** Validates certificate chains against trust anchors. */
final class TrustedChain {
    private final Set<X509Certificate> anchors;

    private TrustedChain(Set<X509Certificate> anchors) {
        this.anchors = anchors;
    }

    static TrustedChain by(Set<X509Certificate> anchors) {
        return new TrustedChain(Set.copyOf(anchors));
    }

    /** Trusts the JDK's certificate authorities. */
    static TrustedChain byTheJdk() {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init((KeyStore) null);
            Set<X509Certificate> anchors = new HashSet<>();
            for (TrustManager manager : factory.getTrustManagers()) {
                if (manager instanceof X509TrustManager known) {
                    anchors.addAll(List.of(known.getAcceptedIssuers()));
                }
            }
            return by(anchors);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK has trusted certificates", e);
        }
    }

    /** Whether the first certificate is a trust anchor or the chain leads to one, and all are valid at that time. */
    boolean leads(List<X509Certificate> chain, Instant at) {
        X509Certificate first = chain.get(0);
        try {
            first.checkValidity(Date.from(at));
            return anchors.contains(first) || validates(chain, at);
        } catch (CertificateException e) {
            return false;
        }
    }

    private boolean validates(List<X509Certificate> chain, Instant at) {
        try {
            // A file may end with the authority itself, which is not part of the path to it.
            List<X509Certificate> path =
                    chain.stream().filter(one -> !anchors.contains(one)).toList();
            CertPath links = CertificateFactory.getInstance("X.509").generateCertPath(path);
            Set<TrustAnchor> trust = new HashSet<>();
            anchors.forEach(anchor -> trust.add(new TrustAnchor(anchor, null)));
            PKIXParameters parameters = new PKIXParameters(trust);
            parameters.setDate(Date.from(at));
            // A revocation check would call a URL in the certificate, which is not verified yet.
            parameters.setRevocationEnabled(false);
            CertPathValidator.getInstance("PKIX").validate(links, parameters);
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
