// SPDX-License-Identifier: Apache-2.0
/** Signed call events. */
@NullMarked
package dev.semel.server.calls;

import org.jspecify.annotations.NullMarked;
