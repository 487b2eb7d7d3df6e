// SPDX-License-Identifier: Apache-2.0
/** The webhook gate: verifies deliveries, claims their events, passes new events to a sink, settles and answers. */
@NullMarked
package dev.semel.webhooks;

import org.jspecify.annotations.NullMarked;
