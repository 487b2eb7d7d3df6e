// SPDX-License-Identifier: Apache-2.0
/** A filter that supports the Idempotency-Key header in Jakarta Servlet applications. */
@NullMarked
package dev.semel.servlet;

import org.jspecify.annotations.NullMarked;
