// SPDX-License-Identifier: Apache-2.0
/** The commands of the command line, except {@code serve}. */
@NullMarked
package dev.semel.server.cli;

import org.jspecify.annotations.NullMarked;
