// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import dev.semel.Operation;
import org.jspecify.annotations.Nullable;

/**
 * An {@link Idempotent} method of a bean, checked and ready to be called.
 *
 * @param tenant null if the annotation names none
 * @param fingerprint null if the annotation names none
 */
record GuardedMethod(
        Operation<@Nullable Object> operation,
        ResultShape shape,
        ArgumentExpression key,
        @Nullable ArgumentExpression tenant,
        @Nullable ArgumentExpression fingerprint) {}
