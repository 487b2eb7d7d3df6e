// SPDX-License-Identifier: Apache-2.0
/** A gate for consumers of any queue: process a message once, then acknowledge it. */
@NullMarked
package dev.semel.messaging;

import org.jspecify.annotations.NullMarked;
