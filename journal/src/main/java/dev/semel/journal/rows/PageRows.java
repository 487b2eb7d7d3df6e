// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.rows;

import java.util.List;

/**
 * The rows of a page, in the order of writing.
 *
 * @param more whether more rows can be shown now
 * @param unsettled whether more rows exist that cannot be shown yet, because an earlier one may still appear
 */
public record PageRows<T>(List<PositionedRow<T>> rows, boolean more, boolean unsettled) {}
