// SPDX-License-Identifier: Apache-2.0
/** The command {@code semel demo}: a server on a temporary folder, with traffic of its own. */
@NullMarked
package dev.semel.server.demo;

import org.jspecify.annotations.NullMarked;
