// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

/**
 * Where new events go. A {@link WebhookHandler} processes them, and the gate claims each before and settles it after. A
 * {@link RecordingSink} claims and stores them itself, in one transaction.
 */
public sealed interface Sink permits WebhookHandler, RecordingSink {}
