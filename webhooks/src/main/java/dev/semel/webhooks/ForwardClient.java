// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** The HTTP client of a {@link Forward}. Must not follow redirects. */
public interface ForwardClient {
    /** Sends a POST and returns the status of the answer. Fails if there is no answer in time. */
    CompletionStage<Integer> send(URI target, Map<String, List<String>> headers, byte[] body, Duration timeout);
}
