// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class MarksTest {
    private final String secret = Marks.keepOutOfLogs("password-" + Marks.unique());

    @Test
    void anOutputWithoutPrivateDataHasNoLeak() {
        assertThat(Marks.leakIn("")).isEmpty();
        assertThat(Marks.leakIn("started\n" + secret.substring(0, secret.length() - 1) + "\nstopped\n"))
                .isEmpty();
    }

    @Test
    void theLineWithAMarkIsFound() {
        String text = Marks.text("key");

        assertThat(Marks.leakIn("one\ntwo " + text + "\nthree " + secret)).hasValue("two " + text);
    }

    @Test
    void aRememberedTextIsFoundAnywhere() {
        assertThat(Marks.leakIn(secret)).hasValue(secret);
        assertThat(Marks.leakIn("one\n" + secret + "\n")).hasValue(secret);
        assertThat(Marks.leakIn("one\ntwo=" + secret + ";\n" + Marks.text("key")))
                .hasValue("two=" + secret + ";");
    }

    @Test
    void textsWithTheSameBeginningAreToldApart() {
        String other = Marks.keepOutOfLogs("password-" + Marks.unique());

        assertThat(Marks.leakIn("one\n" + other)).hasValue(other);
        assertThat(Marks.leakIn("one\npassword-" + Marks.unique())).isEmpty();
    }

    @Test
    void aTextInAnotherAlphabetIsFoundByItsBytes() {
        String text = Marks.keepOutOfLogs("пароль-" + Marks.unique());
        String output = new String(("one " + text).getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);

        assertThat(Marks.leakIn(output)).isPresent();
    }

    @Test
    void aShortTextIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Marks.keepOutOfLogs("1234567"));
    }
}
