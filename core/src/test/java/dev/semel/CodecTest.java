// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.StoredResult;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CodecTest {
    @Test
    void textIsUtf8() throws Exception {
        StoredResult stored = Codec.text().encode("caf\u00e9");

        assertThat(stored).isEqualTo(new StoredResult("text/plain", "caf\u00e9".getBytes(StandardCharsets.UTF_8)));
        assertThat(Codec.text().decode(stored)).isEqualTo("caf\u00e9");
    }

    @Test
    void bytesAreKeptAsTheyAre() throws Exception {
        byte[] bytes = {0, -1, 127};
        StoredResult stored = Codec.bytes().encode(bytes);

        assertThat(stored).isEqualTo(new StoredResult("application/octet-stream", bytes));
        assertThat(Codec.bytes().decode(stored)).isEqualTo(bytes).isNotSameAs(bytes);
    }

    @Test
    @SuppressWarnings("NullAway") // It does not look into type arguments.
    void nothingIsStoredAsNull() throws Exception {
        Codec<@Nullable Void> nothing = Codec.nothing();
        StoredResult stored = nothing.encode(null);

        assertThat(stored).isEqualTo(StoredResult.ofNull());
        assertThat(nothing.decode(stored)).isNull();
    }

    @Test
    void twoFunctionsMakeACodec() throws Exception {
        Codec<Integer> number =
                Codec.of(value -> new StoredResult("test/number", new byte[] {value.byteValue()}), stored ->
                        (int) stored.bytes()[0]);

        assertThat(number.decode(number.encode(7))).isEqualTo(7);
    }
}
