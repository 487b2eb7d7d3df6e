// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

/** Who may ask. */
public enum ServerMode {
    /** Anybody on this machine, but no web page. */
    DEVELOPMENT,
    /** Whoever has a token. */
    PRODUCTION
}
