// SPDX-License-Identifier: Apache-2.0
/** Where settings come from, what they may be, and what they are. */
@NullMarked
package dev.semel.server.config;

import org.jspecify.annotations.NullMarked;
