// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.ledger;

import java.util.UUID;

/**
 * UUIDs of version 7. Ids of about the same time are close together in an index, so inserts touch few of its pages. The clock of
 * this machine decides nothing else: no id is compared with a time, and a wrong clock only changes the place in the index.
 */
final class OrderedIds {
    private OrderedIds() {}

    static UUID next() {
        UUID random = UUID.randomUUID();
        long high = System.currentTimeMillis() << 16 | 0x7000 | (random.getMostSignificantBits() & 0xfff);
        return new UUID(high, random.getLeastSignificantBits());
    }
}
