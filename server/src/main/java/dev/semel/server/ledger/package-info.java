// SPDX-License-Identifier: Apache-2.0
/** The HTTP API for the ledger. */
@NullMarked
package dev.semel.server.ledger;

import org.jspecify.annotations.NullMarked;
