// SPDX-License-Identifier: Apache-2.0
/** The configured database and the engine. */
@NullMarked
package dev.semel.server.storage;

import org.jspecify.annotations.NullMarked;
