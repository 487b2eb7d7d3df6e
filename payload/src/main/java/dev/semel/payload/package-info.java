// SPDX-License-Identifier: Apache-2.0
/** What of a result may be stored, and in which form. */
@NullMarked
package dev.semel.payload;

import org.jspecify.annotations.NullMarked;
