// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

/** The databases that a test class runs on, one after the other. */
public enum DatabaseKind {
    POSTGRESQL,
    MARIADB,
    SQLITE
}
