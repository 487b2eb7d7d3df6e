// SPDX-License-Identifier: Apache-2.0
/** Metrics for Micrometer. */
@NullMarked
package dev.semel.micrometer;

import org.jspecify.annotations.NullMarked;
