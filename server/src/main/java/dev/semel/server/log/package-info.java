// SPDX-License-Identifier: Apache-2.0
/** One line an event, without content. */
@NullMarked
package dev.semel.server.log;

import org.jspecify.annotations.NullMarked;
