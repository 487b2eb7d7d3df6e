// SPDX-License-Identifier: Apache-2.0
/**
 * Real database servers as child processes of this JVM, out of Maven artifacts, for tests and benchmarks.
 *
 * <p>Start with {@link dev.semel.testservers.PostgresServer}, {@link dev.semel.testservers.MariaDbServer} or
 * {@link dev.semel.testservers.RedisServer}. A server keeps what it acknowledged through {@code kill()} and
 * {@code restart()}, listens on 127.0.0.1 only, and is gone, with its data, when it is closed or when this JVM dies,
 * however it dies. {@link dev.semel.testservers.WebhookTarget} lives in this JVM: it is what webhooks are forwarded to;
 * {@link dev.semel.testservers.PayPalSender} signs them.
 */
@NullMarked
package dev.semel.testservers;

import org.jspecify.annotations.NullMarked;
