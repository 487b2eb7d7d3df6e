// SPDX-License-Identifier: Apache-2.0
/** The HTTP API for claims, settlements, steps and payments. */
@NullMarked
package dev.semel.server.claims;

import org.jspecify.annotations.NullMarked;
