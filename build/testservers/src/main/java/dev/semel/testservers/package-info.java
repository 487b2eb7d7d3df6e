// SPDX-License-Identifier: Apache-2.0
/**
 * Real database servers from Maven artifacts, as child processes of this JVM, for tests and benchmarks.
 *
 * <p>Start with {@link dev.semel.testservers.PostgresServer}, {@link dev.semel.testservers.MariaDbServer},
 * {@link dev.semel.testservers.MySqlServer} or {@link dev.semel.testservers.RedisServer}. A server keeps acknowledged writes over {@code kill()} and {@code restart()},
 * and listens on 127.0.0.1 only. It ends, and its data is deleted, when it is closed or when this JVM ends, even by a kill.
 *
 * <p>{@link dev.semel.testservers.FreshDatabase} is an empty database for a test class, and {@link
 * dev.semel.testservers.KillsUnderLoad} kills a server while clients use it. {@link dev.semel.testservers.WebhookTarget}
 * receives forwarded webhooks, and {@link dev.semel.testservers.PayPalSender} signs webhooks. {@link
 * dev.semel.testservers.DynamoFaultProxy} makes DynamoDB Local fail as the service does.
 */
@NullMarked
package dev.semel.testservers;

import org.jspecify.annotations.NullMarked;
