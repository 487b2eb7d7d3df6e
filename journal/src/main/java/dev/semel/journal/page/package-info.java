// SPDX-License-Identifier: Apache-2.0
/** The pages in which the ledger, the call events and the inbox are read. */
@NullMarked
package dev.semel.journal.page;

import org.jspecify.annotations.NullMarked;
