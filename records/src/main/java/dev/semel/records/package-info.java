// SPDX-License-Identifier: Apache-2.0
/**
 * Records that are their own claim: the ledger and call events. A record and what makes it unique are one commit, and the
 * records of concurrent callers go together in one.
 */
@NullMarked
package dev.semel.records;

import org.jspecify.annotations.NullMarked;
