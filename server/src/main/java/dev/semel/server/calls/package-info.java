// SPDX-License-Identifier: Apache-2.0
/** The HTTP API for signed call events. */
@NullMarked
package dev.semel.server.calls;

import org.jspecify.annotations.NullMarked;
