// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpReplyTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 201 Created\r\nX-Content-Length: 9\r\nContent-Length: 5\r\n\r\nhello",
                "HTTP/1.1 201 Created\r\ncontent-length:5\r\nA: b\r\n\r\nhello",
                "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n"
            })
    void aReplyIsThereWhenItsLastByteIs(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        for (int size = 0; size < bytes.length; size++) {
            assertThat(HttpReply.parse(bytes, size)).as("%d bytes", size).isNull();
        }
        HttpReply reply = HttpReply.parse(bytes, bytes.length);
        assertThat(reply.status()).isEqualTo(201);
        assertThat(reply.text()).isEqualTo("hello");
    }

    @Test
    void aReplyOfUnknownLengthIsRefused() {
        byte[] bytes = "HTTP/1.1 200 OK\r\nA: b\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        assertThatThrownBy(() -> HttpReply.parse(bytes, bytes.length)).hasMessageContaining("without a length");
    }

    @Test
    void aMemberIsRead() {
        HttpReply reply = new HttpReply(200, "{\"a\":\"1\",\"token\":\"t\"}".getBytes(StandardCharsets.US_ASCII));
        assertThat(reply.member("token")).isEqualTo("t");
        assertThatThrownBy(() -> reply.member("claim_id")).hasMessageContaining("No claim_id");
    }
}
