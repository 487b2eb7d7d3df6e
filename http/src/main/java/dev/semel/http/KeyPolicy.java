// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

/** Whether a request to a route needs a key. */
public enum KeyPolicy {
    /** A request without one is refused. */
    REQUIRED,
    /** A request without one passes through unprotected. */
    OPTIONAL,
    /** A request without one gets the digest of its fingerprint: equal requests are one. */
    DERIVE,
    /** All requests pass through unprotected, also those with a key. */
    OFF
}
