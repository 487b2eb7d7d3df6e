// SPDX-License-Identifier: Apache-2.0
/**
 * What this project's modules share that speak SQL: statements with names, connections that come back as they were, what
 * an error means. Public for those modules alone: it may change in any release.
 */
@NullMarked
package dev.semel.jdbc.sql;

import org.jspecify.annotations.NullMarked;
