// SPDX-License-Identifier: Apache-2.0
/** Sends realistic webhook deliveries, to try a server. */
@NullMarked
package dev.semel.server.trigger;

import org.jspecify.annotations.NullMarked;
