// SPDX-License-Identifier: Apache-2.0
/** Encryption of exact results. An encrypted result is bound to its claim. */
@NullMarked
package dev.semel.payload.seal;

import org.jspecify.annotations.NullMarked;
