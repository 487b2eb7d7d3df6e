// SPDX-License-Identifier: Apache-2.0
/** What a claim is, and the interface behind which it is stored. */
@NullMarked
package dev.semel.claim;

import org.jspecify.annotations.NullMarked;
