// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

/** Whether requests to a route must have a key. */
public enum KeyPolicy {
    /** A request without a key is rejected. */
    REQUIRED,
    /** A request without a key passes through unprotected. */
    OPTIONAL,
    /** A request without a key gets a key derived from its fingerprint, so equal requests are duplicates. */
    DERIVE,
    /** All requests pass through unprotected, even those with a key. */
    OFF
}
