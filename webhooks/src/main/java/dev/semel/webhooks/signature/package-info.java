// SPDX-License-Identifier: Apache-2.0
/** The parts that signatures of webhooks are checked with. */
@NullMarked
package dev.semel.webhooks.signature;

import org.jspecify.annotations.NullMarked;
