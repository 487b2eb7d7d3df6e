// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc.sql;

import org.jspecify.annotations.Nullable;

/** What a statement binds, by the names that it uses. */
public interface NamedValues {
    /**
     * The value of this name.
     *
     * @throws IllegalArgumentException if there is none
     */
    @Nullable
    Object get(String name);
}
