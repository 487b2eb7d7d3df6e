// SPDX-License-Identifier: Apache-2.0
/** Test cases in JSON for the Idempotency-Key header, the application that they need, and the classes that run them. */
@NullMarked
package dev.semel.http.cases;

import org.jspecify.annotations.NullMarked;
