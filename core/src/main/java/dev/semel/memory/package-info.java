// SPDX-License-Identifier: Apache-2.0
/** The store in memory: an equal implementation, and the model the others are compared with. */
@NullMarked
package dev.semel.memory;

import org.jspecify.annotations.NullMarked;
