// SPDX-License-Identifier: Apache-2.0
/** The webhook inbox: encrypted events that are written in the same commit as their claim. */
@NullMarked
package dev.semel.journal.inbox;

import org.jspecify.annotations.NullMarked;
