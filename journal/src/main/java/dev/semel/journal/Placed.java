// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

/** A record and where it stands. */
record Placed<T>(T record, Position position) {}
