// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import dev.semel.Operation;
import org.jspecify.annotations.Nullable;

/**
 * A bean that changes the operations of {@link Idempotent} methods, for settings that the annotation does not have: classes of
 * failures, an attempt cap, a probe. Distinguish operations by {@link Operation#scope}.
 */
public interface OperationCustomizer {
    <T extends @Nullable Object> Operation<T> customize(Operation<T> operation);
}
