// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

/** The databases that a test runs on. */
public enum Kind {
    POSTGRESQL,
    MARIADB,
    SQLITE
}
