// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.storage;

/** The causes of a failure. Messages of drivers and libraries may quote user data, so only their classes are shown. */
final class FailureCauses {
    private FailureCauses() {}

    /** Returns the class of the innermost exception. */
    static String reason(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        return cause.getClass().getSimpleName();
    }

    /** Returns whether the failure or one of its causes is of this type. */
    static boolean isCausedBy(Throwable failure, Class<? extends Throwable> type) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }
}
