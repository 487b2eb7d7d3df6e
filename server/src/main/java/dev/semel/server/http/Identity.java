// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.server.config.Role;

/** The authenticated sender of a request. */
public record Identity(String tenant, String actor, Role role) {}
