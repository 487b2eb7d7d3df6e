// SPDX-License-Identifier: Apache-2.0
/** Redaction of sensitive members and phone numbers, and allow-lists. */
@NullMarked
package dev.semel.payload.redact;

import org.jspecify.annotations.NullMarked;
