// SPDX-License-Identifier: Apache-2.0
/** Fingerprints that tell whether two requests are equal, and sketches that tell where they differ. */
@NullMarked
package dev.semel.payload.compare;

import org.jspecify.annotations.NullMarked;
