// SPDX-License-Identifier: Apache-2.0
/** Helpers shared by Semel's own modules. Not an API. */
@NullMarked
package dev.semel.internal;

import org.jspecify.annotations.NullMarked;
