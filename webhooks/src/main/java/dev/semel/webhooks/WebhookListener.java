// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

/** Told of what happens. Called on the engine's threads: be quick, and do not block. Exceptions are logged. */
@FunctionalInterface
public interface WebhookListener {
    void onNotice(WebhookNotice notice);
}
