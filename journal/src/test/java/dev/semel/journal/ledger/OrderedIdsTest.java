// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class OrderedIdsTest {
    @Test
    void idsHaveVersionSeven_areUnique_andAreCloseTogether() {
        List<UUID> ids = Stream.generate(OrderedIds::next).limit(10_000).toList();

        assertThat(ids).doesNotHaveDuplicates().allMatch(id -> id.version() == 7 && id.variant() == 2);
        assertThat(ids.stream().map(id -> id.getMostSignificantBits() >>> 16).distinct())
                .as("the different times in the ids")
                .hasSizeLessThan(5_000);
    }
}
