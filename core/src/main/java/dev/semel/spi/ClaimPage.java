// SPDX-License-Identifier: Apache-2.0
package dev.semel.spi;

import dev.semel.spi.ClaimBrowser.Cursor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of claims, newest first. A store reads a limited number of rows for a page, so a page may have few entries or none
 * although there are more.
 *
 * @param next where the next page starts; null if this is the last one
 */
public record ClaimPage(List<ClaimEntry> entries, @Nullable Cursor next) {
    public ClaimPage {
        entries = List.copyOf(entries);
    }
}
