// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

/** Receives notices from a gate. Called on the engine's threads: return quickly and do not block. Exceptions are logged. */
@FunctionalInterface
public interface WebhookListener {
    void onNotice(WebhookNotice notice);
}
