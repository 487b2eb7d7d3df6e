// SPDX-License-Identifier: Apache-2.0
/** Exact results at rest: encrypted, and bound to the claim that they settle. */
@NullMarked
package dev.semel.payload.seal;

import org.jspecify.annotations.NullMarked;
