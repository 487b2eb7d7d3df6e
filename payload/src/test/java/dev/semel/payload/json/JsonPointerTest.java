// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class JsonPointerTest {
    @Test
    void readsAndWritesRfc6901() {
        assertThat(JsonPointer.of("")).isEqualTo(JsonPointer.ROOT);
        assertThat(JsonPointer.of("/").tokens()).containsExactly("");
        assertThat(JsonPointer.of("/a~1b/m~0n/0/ /~01").tokens()).containsExactly("a/b", "m~n", "0", " ", "~1");
        assertThat(new JsonPointer(List.of("a/b", "m~n", "~1"))).hasToString("/a~1b/m~0n/~01");
        assertThat(JsonPointer.of("/a").child("b/c")).isEqualTo(JsonPointer.of("/a/b~1c"));
    }

    @Test
    void saysHowToWriteIt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JsonPointer.of("a/b"))
                .withMessage("A JSON pointer must be empty or start with a slash: write /a/b");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JsonPointer.of("/a~2"))
                .withMessage("A JSON pointer must write a tilde as ~0 and a slash in a name as ~1: correct /a~2");
        assertThatIllegalArgumentException().isThrownBy(() -> JsonPointer.of("/a~"));
    }
}
