// SPDX-License-Identifier: Apache-2.0
/** Claims for any language. */
@NullMarked
package dev.semel.server.claims;

import org.jspecify.annotations.NullMarked;
