// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

/**
 * With which status duplicates and mismatches are answered.
 *
 * @param name as in settings
 * @param inProgress for a request whose first attempt is still running
 * @param mismatch for a key that was used for another request
 * @param missing for a request without a key where one is required
 */
public record Profile(String name, int inProgress, int mismatch, int missing) {
    /** 202 while the first is running, 409 for another request, 400 without a key. */
    public static final Profile ACCEPTED = new Profile("accepted", 202, 409, 400);

    /** As the IETF draft: 409 while the first is running, 422 for another request, 400 without a key. */
    public static final Profile IETF = new Profile("ietf", 409, 422, 400);

    public Profile {
        if (inProgress != 202 && (inProgress < 400 || inProgress > 599)) {
            throw new IllegalArgumentException(
                    "The status for a request in progress must be 202 or an error, but is " + inProgress);
        }
        requireError("mismatch", mismatch);
        requireError("missing key", missing);
    }

    public Profile withInProgress(int status) {
        return new Profile(name, status, mismatch, missing);
    }

    public Profile withMismatch(int status) {
        return new Profile(name, inProgress, status, missing);
    }

    public Profile withMissing(int status) {
        return new Profile(name, inProgress, mismatch, status);
    }

    private static void requireError(String what, int status) {
        if (status < 400 || status > 499) {
            throw new IllegalArgumentException(
                    "The status for a %s must be 400 to 499, but is %d".formatted(what, status));
        }
    }
}
