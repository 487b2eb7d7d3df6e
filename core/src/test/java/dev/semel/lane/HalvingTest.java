// SPDX-License-Identifier: Apache-2.0
package dev.semel.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HalvingTest {
    private final List<List<Integer>> attempts = new ArrayList<>();

    @Test
    void aBatchThatSucceedsIsAttemptedOnce() {
        assertThat(answers(List.of(1, 2, 3))).containsExactly("1", "2", "3");
        assertThat(attempts).hasSize(1);
    }

    @Test
    void aBadEntryFailsAlone() {
        assertThat(answers(List.of(1, 2, -3, 4, 5))).containsExactly("1", "2", "bad", "4", "5");
        assertThat(attempts)
                .containsExactly(List.of(1, 2, -3, 4, 5), List.of(1, 2), List.of(-3, 4, 5), List.of(-3), List.of(4, 5));
    }

    @Test
    void allEntriesMayBeBad() {
        assertThat(answers(List.of(-1, -2, -3))).containsExactly("bad", "bad", "bad");
    }

    @Test
    void anEmptyBatchNeedsNoAttempt() {
        assertThat(answers(List.of())).isEmpty();
        assertThat(attempts).isEmpty();
    }

    @Test
    void aSingleEntryMustBeAnswered() {
        assertThatThrownBy(() -> Halving.answers(List.of(1, 2), part -> Optional.empty()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("single entry");
    }

    private List<String> answers(List<Integer> batch) {
        return Halving.answers(batch, part -> {
            attempts.add(List.copyOf(part));
            if (part.size() == 1 && part.get(0) < 0) {
                return Optional.of(List.of("bad"));
            }
            return part.stream().anyMatch(entry -> entry < 0)
                    ? Optional.empty()
                    : Optional.of(part.stream().map(String::valueOf).toList());
        });
    }
}
