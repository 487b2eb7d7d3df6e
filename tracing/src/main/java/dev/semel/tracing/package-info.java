// SPDX-License-Identifier: Apache-2.0
/** Spans for OpenTelemetry. */
@NullMarked
package dev.semel.tracing;

import org.jspecify.annotations.NullMarked;
