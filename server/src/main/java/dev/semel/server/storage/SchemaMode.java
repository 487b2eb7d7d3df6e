// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.storage;

/** What to do with the tables when a database is opened. */
public enum SchemaMode {
    /** Create missing tables and columns. */
    MIGRATE,
    /** Change nothing, and refuse a database that lacks one. */
    CHECK
}
