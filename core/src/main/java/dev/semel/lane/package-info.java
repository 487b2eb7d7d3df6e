// SPDX-License-Identifier: Apache-2.0
/** Group commit: many callers' entries, one call. */
@NullMarked
package dev.semel.lane;

import org.jspecify.annotations.NullMarked;
