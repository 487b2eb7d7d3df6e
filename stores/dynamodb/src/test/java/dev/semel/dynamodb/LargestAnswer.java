// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import java.util.concurrent.atomic.AtomicLong;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/** Remembers how large the largest answer was. */
final class LargestAnswer implements ExecutionInterceptor {
    private final AtomicLong largest = new AtomicLong();

    long bytes() {
        return largest.get();
    }

    @Override
    public void beforeUnmarshalling(Context.BeforeUnmarshalling context, ExecutionAttributes attributes) {
        context.httpResponse()
                .firstMatchingHeader("Content-Length")
                .map(Long::valueOf)
                .ifPresent(length -> largest.accumulateAndGet(length, Math::max));
    }
}
