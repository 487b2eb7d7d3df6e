// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import java.util.List;

/**
 * One attempt to run a request.
 *
 * @param key the client's key, or the derived one
 * @param childKey a key for the upstream service. It is the same for every attempt, so that an idempotent service acts once.
 * @param number the number of the attempt, starting with 1. If it is larger, an earlier attempt may have taken effect.
 * @param fence a number that increases with every attempt
 * @param headers the header lines to add to an answer that is streamed while the attempt is running
 */
public record Attempt(String key, String childKey, int number, long fence, List<HeaderLine> headers) {
    public Attempt {
        headers = List.copyOf(headers);
    }

    /** Does not show the keys, because they must not get into logs. */
    @Override
    public String toString() {
        return "Attempt[%d, fence %d]".formatted(number, fence);
    }
}
