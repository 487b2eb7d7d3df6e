// SPDX-License-Identifier: Apache-2.0
/**
 * Three append-only tables in one database: the {@linkplain dev.semel.journal.ledger ledger}, {@linkplain
 * dev.semel.journal.calls call events} and the {@linkplain dev.semel.journal.inbox webhook inbox}.
 *
 * <p>A row and the key that makes it unique are written in one commit. Rows of concurrent callers share a commit. The ledger and
 * call events are protected by a unique index. The inbox uses the claims of {@code dev.semel.jdbc}, because an event has several
 * keys and they expire.
 */
@NullMarked
package dev.semel.journal;

import org.jspecify.annotations.NullMarked;
