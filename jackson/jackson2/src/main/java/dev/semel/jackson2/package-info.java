// SPDX-License-Identifier: Apache-2.0
/** Results and rejection details as JSON, with Jackson 2. */
@NullMarked
package dev.semel.jackson2;

import org.jspecify.annotations.NullMarked;
