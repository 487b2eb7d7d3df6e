// SPDX-License-Identifier: Apache-2.0
/** Traces for OpenTelemetry. */
@NullMarked
package dev.semel.server.tracing;

import org.jspecify.annotations.NullMarked;
