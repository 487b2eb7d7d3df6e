// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

/**
 * A rule whose condition holds for a scope.
 *
 * @param value the share of events
 */
public record Alert(String tenant, String scope, AlertRule rule, double value) {}
