// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

/** What a token's holder may do. */
public enum Role {
    /** Uses the service: claims, settles, writes. */
    CLIENT,
    /** Looks. */
    VIEWER,
    /** Looks, uses, and decides by hand. */
    OPERATOR
}
