// SPDX-License-Identifier: Apache-2.0
/** The providers of webhooks: one class for each sender, and {@link dev.semel.webhooks.provider.Providers}, their list. */
@NullMarked
package dev.semel.webhooks.provider;

import org.jspecify.annotations.NullMarked;
