// SPDX-License-Identifier: Apache-2.0
/** Checks of the settings and the database, each with its fix. */
@NullMarked
package dev.semel.server.doctor;

import org.jspecify.annotations.NullMarked;
