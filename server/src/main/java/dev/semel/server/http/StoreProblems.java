// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.claim.StoreException;
import java.time.Duration;

/** Translates store failures into problems. */
public final class StoreProblems {
    private StoreProblems() {}

    /** Returns the problem for this failure. A retry is safe unless the database can never accept the request. */
    public static ProblemDetail of(StoreException failure) {
        return failure.kind() == StoreException.Kind.REJECTED
                ? ProblemDetail.of(ProblemType.BAD_REQUEST, "The database rejected this record; nothing was stored")
                : ProblemDetail.of(
                                ProblemType.STORE_UNAVAILABLE,
                                "The database is unavailable; send the same request again, which is safe")
                        .retryAfter(Duration.ofSeconds(2));
    }
}
