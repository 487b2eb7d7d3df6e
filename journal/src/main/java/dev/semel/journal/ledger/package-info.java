// SPDX-License-Identifier: Apache-2.0
/** The ledger: events that are written once by their idempotency key and never changed. */
@NullMarked
package dev.semel.journal.ledger;

import org.jspecify.annotations.NullMarked;
