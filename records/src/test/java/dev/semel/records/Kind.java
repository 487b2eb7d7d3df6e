// SPDX-License-Identifier: Apache-2.0
package dev.semel.records;

/** The databases that a test runs on. */
enum Kind {
    POSTGRESQL,
    MARIADB,
    SQLITE
}
