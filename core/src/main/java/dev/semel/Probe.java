// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import org.jspecify.annotations.Nullable;

/**
 * Finds out whether an earlier attempt had its effect, for example by asking the payment provider for the child key
 * that the attempt sent. If it throws, the claim is given back and the next caller asks again.
 */
@FunctionalInterface
public interface Probe<T extends @Nullable Object> {
    ProbeAnswer<T> ask(RunContext context) throws Exception;
}
