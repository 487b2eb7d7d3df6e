// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import java.net.URI;
import java.util.concurrent.CompletionStage;

/** Fetches the certificates of a provider. Called only with allowed URLs. */
public interface CertificateFetch {
    /** Fetches a certificate and its chain as a PEM file. Fails if they are unavailable. */
    CompletionStage<byte[]> fetch(URI address);
}
