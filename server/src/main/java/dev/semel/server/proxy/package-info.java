// SPDX-License-Identifier: Apache-2.0
/** The idempotent proxy: a reverse proxy that executes a request once per Idempotency-Key. */
@NullMarked
package dev.semel.server.proxy;

import org.jspecify.annotations.NullMarked;
