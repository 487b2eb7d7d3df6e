// SPDX-License-Identifier: Apache-2.0
/** Claims in a relational database. Start with {@link dev.semel.jdbc.JdbcClaimStore}. */
@NullMarked
package dev.semel.jdbc;

import org.jspecify.annotations.NullMarked;
