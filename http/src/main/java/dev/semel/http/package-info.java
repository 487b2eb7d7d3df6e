// SPDX-License-Identifier: Apache-2.0
/** Idempotency-Key for HTTP: keys, fingerprints, stored answers and replays, free of any HTTP framework. */
@NullMarked
package dev.semel.http;

import org.jspecify.annotations.NullMarked;
