// SPDX-License-Identifier: Apache-2.0
/** Call events: signed events of sites, each stored once by its signature. */
@NullMarked
package dev.semel.journal.calls;

import org.jspecify.annotations.NullMarked;
