// SPDX-License-Identifier: Apache-2.0
/** What is particular to each sender of webhooks: one class each, and the one list that names them. */
@NullMarked
package dev.semel.webhooks.provider;

import org.jspecify.annotations.NullMarked;
