// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

/** The role of a token. */
public enum Role {
    /** May claim, settle, write and read. */
    CLIENT,
    /** May read. */
    VIEWER,
    /** May do everything, including manual decisions. */
    OPERATOR
}
