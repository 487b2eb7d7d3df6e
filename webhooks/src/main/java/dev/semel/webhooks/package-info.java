// SPDX-License-Identifier: Apache-2.0
/** The webhook gate: verifies a delivery, claims each of its events, hands the new ones to a sink, settles and answers. */
@NullMarked
package dev.semel.webhooks;

import org.jspecify.annotations.NullMarked;
