// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.rows;

/** A row and its position in the order of writing. */
public record PositionedRow<T>(T row, Position position) {}
