// SPDX-License-Identifier: Apache-2.0
/** Log output: one line per event, without content of requests. */
@NullMarked
package dev.semel.server.log;

import org.jspecify.annotations.NullMarked;
