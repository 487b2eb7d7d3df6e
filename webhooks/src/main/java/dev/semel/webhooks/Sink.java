// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

/**
 * The receiver of new events. A {@link EventHandler} processes them; the gate claims each event before and settles it
 * after. A {@link RecordingSink} claims and stores events itself, in one transaction.
 */
public sealed interface Sink permits EventHandler, RecordingSink {}
