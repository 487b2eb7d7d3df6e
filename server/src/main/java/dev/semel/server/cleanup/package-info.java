// SPDX-License-Identifier: Apache-2.0
/** The cleanup as the server is configured: what is deleted, and when. */
@NullMarked
package dev.semel.server.cleanup;

import org.jspecify.annotations.NullMarked;
