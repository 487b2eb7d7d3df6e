// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

/** A target's answer said that it did not take an event. */
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
