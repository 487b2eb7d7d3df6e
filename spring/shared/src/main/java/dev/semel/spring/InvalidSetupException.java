// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import org.jspecify.annotations.Nullable;

/** The application cannot start as it is configured. Spring Boot shows the description and the action. */
public final class InvalidSetupException extends RuntimeException {
    private final String action;

    public InvalidSetupException(String description, String action) {
        this(description, action, null);
    }

    public InvalidSetupException(String description, String action, @Nullable Throwable cause) {
        super(description, cause);
        this.action = action;
    }

    /** How to fix it. */
    public String action() {
        return action;
    }
}
