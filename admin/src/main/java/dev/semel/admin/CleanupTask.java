// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import java.util.Objects;
import java.util.function.IntUnaryOperator;

/**
 * Rows of a further table that a cleanup deletes, such as old events of the inbox.
 *
 * @param name the name in the report: lower-case letters and underscores
 * @param delete deletes at most so many rows, and returns how many it deleted; called until it deletes fewer
 * @param due how many rows it would delete now, counted up to a limit
 */
public record CleanupTask(String name, IntUnaryOperator delete, IntUnaryOperator due) {
    public CleanupTask {
        if (!name.matches("[a-z_]{1,40}")) {
            throw new IllegalArgumentException(
                    "The name of a cleanup task must have 1 to 40 characters a-z or _, but is " + name);
        }
        Objects.requireNonNull(delete, "A cleanup task must delete rows");
        Objects.requireNonNull(due, "A cleanup task must count rows");
    }
}
