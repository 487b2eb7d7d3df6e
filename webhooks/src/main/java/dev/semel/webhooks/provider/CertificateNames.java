// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** Reads the host names of a certificate. */
final class CertificateNames {
    private static final int DNS = 2;

    private CertificateNames() {}

    /** The DNS names of the subject alternative names, in lower case. The subject itself is ignored. */
    static List<String> of(X509Certificate certificate) {
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            return names == null
                    ? List.of()
                    : names.stream()
                            .filter(name -> name.get(0).equals(DNS))
                            .map(name -> name.get(1).toString().toLowerCase(Locale.ROOT))
                            .toList();
        } catch (CertificateParsingException e) {
            return List.of();
        }
    }
}
