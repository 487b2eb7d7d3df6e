// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import java.util.List;

/**
 * Some rows in order of writing.
 *
 * @param more whether there are more that may be shown now
 * @param unsettled whether there are more that may not be shown yet, because an earlier one may still appear
 */
record Slice<S>(List<Placed<S>> rows, boolean more, boolean unsettled) {}
