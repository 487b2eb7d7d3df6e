// SPDX-License-Identifier: Apache-2.0
/** HTTP exchanges of our own that end in time and read no more than they need. For the packages beside it alone. */
@NullMarked
package dev.semel.webhooks.http;

import org.jspecify.annotations.NullMarked;
