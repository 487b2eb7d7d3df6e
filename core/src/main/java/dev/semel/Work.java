// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import org.jspecify.annotations.Nullable;

/** The work that must happen once. It runs on the caller's thread. */
@FunctionalInterface
public interface Work<T extends @Nullable Object> {
    T run(RunContext context) throws Exception;
}
