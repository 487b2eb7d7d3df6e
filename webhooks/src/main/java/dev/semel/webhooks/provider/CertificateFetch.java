// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import java.net.URI;
import java.util.concurrent.CompletionStage;

/** Fetches a sender's certificates. Only asked for addresses that are allowed. */
public interface CertificateFetch {
    /** The certificate and those that lead to a trusted one, as a PEM file; fails if it cannot be had now. */
    CompletionStage<byte[]> fetch(URI address);
}
