// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.trigger;

/** A target that accepts no connection. */
public final class UnreachableException extends Exception {
    private static final long serialVersionUID = 1L;

    UnreachableException(TriggerTarget target) {
        super(target.name() + " accepts no connection");
    }
}
