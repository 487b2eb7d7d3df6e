// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FreePortTest {
    /** Of 12,000 ports: without a reservation some of them would almost certainly be equal. */
    @Test
    void aPortThatWasChosenIsNotChosenAgain() {
        List<Integer> ports =
                IntStream.range(0, 500).mapToObj(i -> FreePort.choose()).toList();

        assertThat(ports).doesNotHaveDuplicates();
    }
}
