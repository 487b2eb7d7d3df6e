// SPDX-License-Identifier: Apache-2.0
/** The values that make up a claim: key, reference, token, status, terms and result. */
@NullMarked
package dev.semel.claim;

import org.jspecify.annotations.NullMarked;
