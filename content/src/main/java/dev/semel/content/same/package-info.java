// SPDX-License-Identifier: Apache-2.0
/** Whether two requests are the same, and if not, where they differ. */
@NullMarked
package dev.semel.content.same;

import org.jspecify.annotations.NullMarked;
