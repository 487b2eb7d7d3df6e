// SPDX-License-Identifier: Apache-2.0
/** The files of the web console, for any web framework. */
@NullMarked
package dev.semel.console;

import org.jspecify.annotations.NullMarked;
