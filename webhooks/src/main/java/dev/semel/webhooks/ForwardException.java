// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

/** The target of a {@link Forward} answered with a status other than 2xx. */
public final class ForwardException extends RuntimeException {
    private final int status;

    ForwardException(int status) {
        super("The target answered with status " + status);
        this.status = status;
    }

    public int status() {
        return status;
    }
}
