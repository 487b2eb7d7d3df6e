// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Sends what is forwarded. Follows no redirect. */
public interface ForwardClient {
    /** The status of the answer to a POST; fails if there is none in time. */
    CompletionStage<Integer> send(URI target, Map<String, List<String>> headers, byte[] body, Duration timeout);
}
