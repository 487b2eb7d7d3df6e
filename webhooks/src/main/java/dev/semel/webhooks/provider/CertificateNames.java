// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** The host names that a certificate is for. */
final class CertificateNames {
    private static final int DNS = 2;

    private CertificateNames() {}

    /** Only of the list that is made for them: what stands in the subject is for people. */
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
