// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.server.config.Role;

/** Who asks. */
public record Identity(String tenant, String actor, Role role) {}
