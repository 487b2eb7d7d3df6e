// SPDX-License-Identifier: Apache-2.0
/** What must not be stored as it is: sensitive members, telephone numbers, and all that an allow-list does not name. */
@NullMarked
package dev.semel.payload.redact;

import org.jspecify.annotations.NullMarked;
