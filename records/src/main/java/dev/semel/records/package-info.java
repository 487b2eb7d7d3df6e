// SPDX-License-Identifier: Apache-2.0
/** Records that are their own claim: written once, by a unique index, many in one commit. */
@NullMarked
package dev.semel.records;

import org.jspecify.annotations.NullMarked;
