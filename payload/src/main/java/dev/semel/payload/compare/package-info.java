// SPDX-License-Identifier: Apache-2.0
/** Whether two requests are the same, and if not, where they differ. */
@NullMarked
package dev.semel.payload.compare;

import org.jspecify.annotations.NullMarked;
