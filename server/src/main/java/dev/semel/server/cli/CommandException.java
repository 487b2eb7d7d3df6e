// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.cli;

/** A command that failed for a reason that its message explains. The exit code is 1. */
public final class CommandException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CommandException(String message) {
        super(message);
    }
}
