// SPDX-License-Identifier: Apache-2.0
/** Results and rejection details as JSON, with Jackson 3. */
@NullMarked
package dev.semel.jackson3;

import org.jspecify.annotations.NullMarked;
