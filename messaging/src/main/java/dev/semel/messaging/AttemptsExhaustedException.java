// SPDX-License-Identifier: Apache-2.0
package dev.semel.messaging;

/** The last attempt's consumer disappeared, so the message is given up without another attempt. */
final class AttemptsExhaustedException extends Exception {
    private static final long serialVersionUID = 1;

    AttemptsExhaustedException(int attempts) {
        super("The consumer of the last of %d attempts disappeared".formatted(attempts));
    }
}
