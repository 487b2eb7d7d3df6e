// SPDX-License-Identifier: Apache-2.0
/** Building blocks for verifying signatures of webhooks. */
@NullMarked
package dev.semel.webhooks.signature;

import org.jspecify.annotations.NullMarked;
