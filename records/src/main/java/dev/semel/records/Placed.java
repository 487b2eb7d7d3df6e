// SPDX-License-Identifier: Apache-2.0
package dev.semel.records;

/** A record and where it stands. */
record Placed<T>(T record, Position position) {}
