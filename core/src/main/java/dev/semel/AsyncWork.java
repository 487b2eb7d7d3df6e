// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The work that must happen once, started without blocking. */
@FunctionalInterface
public interface AsyncWork<T extends @Nullable Object> {
    CompletionStage<T> start(RunContext context) throws Exception;
}
