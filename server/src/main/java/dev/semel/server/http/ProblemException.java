// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

/** Ends a request with a problem. Thrown only by code that reads requests. */
public final class ProblemException extends RuntimeException {
    private final transient ProblemDetail problem;

    ProblemException(ProblemDetail problem) {
        super(problem.type().title(), null, false, false);
        this.problem = problem;
    }

    public ProblemDetail problem() {
        return problem;
    }
}
