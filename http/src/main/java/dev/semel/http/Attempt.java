// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import java.util.List;

/**
 * One attempt to run a request.
 *
 * @param key the client's key, or the derived one
 * @param childKey a key for the service behind: the same on every attempt, so that a service that honours it acts once
 * @param number which attempt this is, from 1; above 1 an earlier one may have had its effect
 * @param fence grows with every attempt
 * @param headers what to add to an answer that is streamed to the client while the attempt still runs
 */
public record Attempt(String key, String childKey, int number, long fence, List<HeaderLine> headers) {
    public Attempt {
        headers = List.copyOf(headers);
    }

    /** Leaves the keys out: logs are no place for them. */
    @Override
    public String toString() {
        return "Attempt[%d, fence %d]".formatted(number, fence);
    }
}
