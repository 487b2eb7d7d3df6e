// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

/**
 * The statuses for duplicates, mismatches and missing keys.
 *
 * @param name the name in settings
 * @param inProgress for a duplicate of a request in progress
 * @param mismatch for a key that was used for a different request
 * @param missing for a request without a required key
 */
public record Profile(String name, int inProgress, int mismatch, int missing) {
    /** 202 while the first request is in progress, 409 for a different request, 400 without a key. */
    public static final Profile ACCEPTED = new Profile("accepted", 202, 409, 400);

    /** As the IETF draft: 409 while the first request is in progress, 422 for a different request, 400 without a key. */
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
