// SPDX-License-Identifier: Apache-2.0
/** What the processes of a run write down: one record for each kind of event, and files of them. */
@NullMarked
package dev.semel.torture.history;

import org.jspecify.annotations.NullMarked;
