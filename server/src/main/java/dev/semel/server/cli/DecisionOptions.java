// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.cli;

import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which claim is decided, and why. */
final class DecisionOptions {
    @Parameters(index = "0", paramLabel = "ID", description = "the claim's id, or its first 6 digits or more")
    private String id = "";

    @Option(
            names = "--fence",
            required = true,
            paramLabel = "N",
            description = "the fence that `semel keys show` printed; if the claim has moved on, nothing is changed")
    private long fence;

    @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "why, for the audit trail")
    private String reason = "";

    String id() {
        return id;
    }

    long fence() {
        return fence;
    }

    String reason() {
        return reason;
    }
}
