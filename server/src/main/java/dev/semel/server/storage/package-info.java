// SPDX-License-Identifier: Apache-2.0
/** The database that was configured, and the engine on it. */
@NullMarked
package dev.semel.server.storage;

import org.jspecify.annotations.NullMarked;
