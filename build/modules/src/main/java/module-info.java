// SPDX-License-Identifier: Apache-2.0
/** A program that uses the published modules, as an application with a module descriptor does. */
@SuppressWarnings("requires-automatic") // The AWS SDK has no module descriptors.
module dev.semel.modules {
    requires static org.jspecify;
    requires dev.semel;
    requires dev.semel.console;
    requires dev.semel.dynamodb;
    requires dev.semel.http;
    requires dev.semel.jackson2;
    requires dev.semel.jackson3;
    requires dev.semel.jdbc;
    requires dev.semel.journal;
    requires dev.semel.messaging;
    requires dev.semel.micrometer;
    requires dev.semel.operations;
    requires dev.semel.payload;
    requires dev.semel.redis;
    requires dev.semel.servlet;
    requires dev.semel.tracing;
    requires dev.semel.webhooks;
    requires org.xerial.sqlitejdbc;
    requires software.amazon.awssdk.auth;
    requires software.amazon.awssdk.regions;
}
