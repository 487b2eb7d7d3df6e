// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

/** Which clients the server accepts. */
public enum ServerMode {
    /** Local clients without a token, but no web pages of other sites. */
    DEVELOPMENT,
    /** Clients with a token. */
    PRODUCTION
}
