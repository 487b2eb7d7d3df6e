// SPDX-License-Identifier: Apache-2.0
/**
 * Journal that are written together with what makes them unique, in one commit, and those of concurrent callers in the same
 * one. The ledger and call events are their own claim, by a unique index; the webhook inbox goes by the claims of
 * {@code dev.semel.jdbc}, because an event has several names, and they expire.
 */
@NullMarked
package dev.semel.journal;

import org.jspecify.annotations.NullMarked;
