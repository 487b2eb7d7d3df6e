// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import java.util.UUID;

/**
 * UUIDs of version 7: those of one time lie together in an index, and need few of its pages. This machine's clock decides
 * nothing by it: no id is ever compared with a moment, and one that is wrong by years only lies elsewhere.
 */
final class OrderedIds {
    private OrderedIds() {}

    static UUID next() {
        UUID random = UUID.randomUUID();
        long most = System.currentTimeMillis() << 16 | 0x7000 | (random.getMostSignificantBits() & 0xfff);
        return new UUID(most, random.getLeastSignificantBits());
    }
}
