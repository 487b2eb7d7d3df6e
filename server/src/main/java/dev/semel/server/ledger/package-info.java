// SPDX-License-Identifier: Apache-2.0
/** The ledger. */
@NullMarked
package dev.semel.server.ledger;

import org.jspecify.annotations.NullMarked;
