// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc.sql;

import org.jspecify.annotations.Nullable;

/** The values of a statement's parameters, by name. */
public interface NamedValues {
    /**
     * Returns the value of this parameter.
     *
     * @throws IllegalArgumentException if no such parameter exists
     */
    @Nullable
    Object get(String name);
}
