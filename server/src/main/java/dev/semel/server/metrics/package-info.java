// SPDX-License-Identifier: Apache-2.0
/** Metrics in Prometheus format. */
@NullMarked
package dev.semel.server.metrics;

import org.jspecify.annotations.NullMarked;
