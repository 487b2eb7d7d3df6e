// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

/** Ends the handling of a request with a problem. Thrown where a request is read, and nowhere deeper. */
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
