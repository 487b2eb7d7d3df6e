// SPDX-License-Identifier: Apache-2.0
/** Bounded HTTP exchanges. Internal to this module. */
@NullMarked
package dev.semel.webhooks.http;

import org.jspecify.annotations.NullMarked;
