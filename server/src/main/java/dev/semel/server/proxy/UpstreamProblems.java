// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.proxy;

import dev.semel.http.ApiAnswer;
import dev.semel.http.HeaderLine;
import dev.semel.server.http.HttpAnswer;
import dev.semel.server.http.ProblemDetail;
import dev.semel.server.http.ProblemType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** The problems that a client receives if the target service fails. */
final class UpstreamProblems {
    private static final Duration RETRY = Duration.ofSeconds(1);

    private UpstreamProblems() {}

    /** Returns the problem for a failed connection attempt. Nothing was sent. */
    static ProblemDetail notSent(Throwable failure) {
        return Upstream.isBusy(failure)
                ? ProblemDetail.of(
                                ProblemType.BUSY,
                                "All connections to the targets of this route are in use; nothing was sent")
                        .retryAfter(RETRY)
                : unreachable();
    }

    private static ProblemDetail unreachable() {
        return ProblemDetail.of(
                ProblemType.UPSTREAM_UNREACHABLE,
                "No target of this route accepts a connection; nothing was sent. Send the same request again");
    }

    static ProblemDetail failed() {
        return ProblemDetail.of(
                ProblemType.UPSTREAM_FAILED,
                "The target closed the connection before its response was complete; whether the"
                        + " request took effect is unknown");
    }

    /** Returns the problem for a request that was sent and failed. */
    static ProblemDetail of(Throwable failure) {
        return failure instanceof TimeoutException
                ? ProblemDetail.of(
                        ProblemType.UPSTREAM_TIMEOUT,
                        "The target did not respond in time (timeout_seconds); whether the request"
                                + " took effect is unknown")
                : failed();
    }

    static ApiAnswer answer(ProblemDetail problem) {
        HttpAnswer answer = problem.answer();
        List<HeaderLine> lines = new ArrayList<>(answer.headers());
        lines.add(new HeaderLine("Content-Type", String.valueOf(answer.mediaType())));
        lines.add(new HeaderLine("Cache-Control", "no-store"));
        return new ApiAnswer(answer.status(), lines, answer.body());
    }
}
