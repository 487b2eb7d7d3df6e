// SPDX-License-Identifier: Apache-2.0
/** The API door: a reverse proxy that runs a request once for its Idempotency-Key. */
@NullMarked
package dev.semel.server.api;

import org.jspecify.annotations.NullMarked;
