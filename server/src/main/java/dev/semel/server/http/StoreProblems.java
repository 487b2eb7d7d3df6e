// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.claim.StoreException;
import java.time.Duration;

/** What a store's failure is to a client. */
public final class StoreProblems {
    private StoreProblems() {}

    /** Whatever was sent may be sent again, unless the database will never take it. */
    public static ProblemDetail of(StoreException failure) {
        return failure.kind() == StoreException.Kind.REJECTED
                ? ProblemDetail.of(
                        ProblemType.BAD_REQUEST, "The database does not take this record; nothing was stored")
                : ProblemDetail.of(
                                ProblemType.STORE_UNAVAILABLE,
                                "The database does not answer; send the same request again, which is safe")
                        .retryAfter(Duration.ofSeconds(2));
    }
}
