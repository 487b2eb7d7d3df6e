// SPDX-License-Identifier: Apache-2.0
/** The standalone server. */
@NullMarked
package dev.semel.server;

import org.jspecify.annotations.NullMarked;
