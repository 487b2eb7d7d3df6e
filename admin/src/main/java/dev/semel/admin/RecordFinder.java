// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import java.time.Instant;
import java.util.List;

/**
 * Finds records that are stored next to the claims, such as the events of a webhook inbox, by the digest of their key. Methods
 * may block.
 */
public interface RecordFinder {
    /** Finds nothing. */
    RecordFinder NONE = (tenant, digits, limit) -> new Matches(List.of(), false);

    /**
     * The records of a tenant whose digest starts with these hexadecimal digits. Never those of another tenant.
     *
     * @param digits 6 to 64 digits in lower case
     * @param limit the maximum number of records of each kind
     */
    Matches find(String tenant, String digits, int limit);

    /** The records of a tenant that were stored under this key, if their digest can be computed from it. */
    default Matches ofKey(String tenant, String key) {
        return new Matches(List.of(), false);
    }

    /**
     * A record.
     *
     * @param kind a word such as {@code inbox_event}
     * @param path where the record can be read
     */
    record Match(String kind, String id, String path, Instant createdAt) {}

    /**
     * The records that were found.
     *
     * @param more whether there are more
     */
    record Matches(List<Match> found, boolean more) {
        public Matches {
            found = List.copyOf(found);
        }
    }
}
