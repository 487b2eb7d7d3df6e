// SPDX-License-Identifier: Apache-2.0
/**
 * Internals that the ledger, the call events and the inbox share: rows are written in groups and read in pages. Not part of
 * the API.
 */
@NullMarked
package dev.semel.journal.rows;

import org.jspecify.annotations.NullMarked;
