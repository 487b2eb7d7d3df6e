// SPDX-License-Identifier: Apache-2.0
/** The forms in which results are stored: sanitised, encrypted or not at all. */
@NullMarked
package dev.semel.payload;

import org.jspecify.annotations.NullMarked;
