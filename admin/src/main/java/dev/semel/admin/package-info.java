// SPDX-License-Identifier: Apache-2.0
/** Look at claims, decide parked ones, and read their history. */
@NullMarked
package dev.semel.admin;

import org.jspecify.annotations.NullMarked;
