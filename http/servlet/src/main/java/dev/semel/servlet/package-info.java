// SPDX-License-Identifier: Apache-2.0
/** Idempotency-Key for Jakarta Servlet applications: {@link dev.semel.servlet.IdempotencyFilter}. */
@NullMarked
package dev.semel.servlet;

import org.jspecify.annotations.NullMarked;
