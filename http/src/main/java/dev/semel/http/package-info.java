// SPDX-License-Identifier: Apache-2.0
/** The Idempotency-Key header: keys, fingerprints, stored answers and replays, independent of any HTTP framework. */
@NullMarked
package dev.semel.http;

import org.jspecify.annotations.NullMarked;
