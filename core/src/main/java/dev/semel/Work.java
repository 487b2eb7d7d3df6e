// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import org.jspecify.annotations.Nullable;

/** What must happen once. Runs on the caller's own thread. */
@FunctionalInterface
public interface Work<T extends @Nullable Object> {
    T run(RunContext context) throws Exception;
}
