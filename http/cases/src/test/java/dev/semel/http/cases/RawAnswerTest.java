// SPDX-License-Identifier: Apache-2.0
package dev.semel.http.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RawAnswerTest {
    private static RawAnswer of(String text) {
        return RawAnswer.of(text.getBytes(StandardCharsets.ISO_8859_1), false);
    }

    @Test
    void headersKeepTheirOrderAndDuplicates() {
        RawAnswer answer = of(
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nB: 1\r\na:2\r\nb: 3 \r\nContent-Length: 2\r\n\r\nhi");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.headers("b")).containsExactly("1", "3");
        assertThat(answer.header("A")).contains("2");
        assertThat(answer.text()).isEqualTo("hi");
    }

    @Test
    void chunksAreJoined() {
        assertThat(of("HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n")
                        .text())
                .isEqualTo("abc0123456789");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "HTTP/1.1 200 OK\r\nA: b\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nhi",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nhi",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"
            })
    void anIncompleteAnswerIsRejected(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> of(text));
    }
}
