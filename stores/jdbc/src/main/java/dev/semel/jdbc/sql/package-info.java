// SPDX-License-Identifier: Apache-2.0
/**
 * Shared by Semel's modules that use SQL: named parameters, borrowed connections, error classification. Not for users:
 * it may change in any release.
 */
@NullMarked
package dev.semel.jdbc.sql;

import org.jspecify.annotations.NullMarked;
