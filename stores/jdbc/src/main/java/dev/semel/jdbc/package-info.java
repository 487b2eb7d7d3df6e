// SPDX-License-Identifier: Apache-2.0
/** Claims in a relational database. {@link dev.semel.jdbc.JdbcClaimStore} is the way in. */
@NullMarked
package dev.semel.jdbc;

import org.jspecify.annotations.NullMarked;
