// SPDX-License-Identifier: Apache-2.0
/** A program that runs on the class path and on the module path. */
@NullMarked
package dev.semel.modules;

import org.jspecify.annotations.NullMarked;
