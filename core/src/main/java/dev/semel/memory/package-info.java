// SPDX-License-Identifier: Apache-2.0
/** The store in memory: a complete implementation, and the model that the others are compared with. */
@NullMarked
package dev.semel.memory;

import org.jspecify.annotations.NullMarked;
