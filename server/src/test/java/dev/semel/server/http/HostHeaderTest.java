// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostHeaderTest {
    @ParameterizedTest
    @CsvSource({
        "localhost, localhost",
        "LOCALHOST:1, LOCALHOST",
        "127.0.0.1:65535, 127.0.0.1",
        "a_b.example-1.com:0, a_b.example-1.com",
        "[::1], [::1]",
        "[::1]:8080, [::1]",
        "[2001:db8::7]:443, [2001:db8::7]",
        "[::ffff:127.0.0.1], [::ffff:127.0.0.1]"
    })
    void aHostHasANameAndPerhapsAPort(String value, String name) {
        assertThat(HostHeader.of(value)).hasValue(new HostHeader(name));
        assertThat(HostHeader.required(value).name()).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                ":80",
                "localhost:",
                "localhost:x",
                "localhost:80x",
                "localhost:-1",
                "localhost:65536",
                "localhost:000080",
                "localhost:80:80",
                "127.0.0.1:80:80@evil",
                "127.0.0.1@evil",
                "evil@127.0.0.1",
                "localhost/",
                "localhost#",
                "localhost?",
                "localhost\\",
                "local host",
                "localhost,evil",
                "http://localhost",
                "[::1]x",
                "[::1]:",
                "[::1]:x",
                "[::1",
                "::1",
                "[]",
                "[:]",
                "[:::]",
                "[1:2]",
                "[::g]",
                "[::1%25eth0]",
                "[127.0.0.1]",
                "[localhost]",
                "l\u00f6calhost",
                "localhost\u0000"
            })
    void invalidHostsAreRejected(String value) {
        assertThat(HostHeader.of(value)).isEmpty();
        assertThatThrownBy(() -> HostHeader.required(value)).isInstanceOf(ProblemException.class);
    }

    @Test
    void aNameIsBounded() {
        assertThat(HostHeader.of("a".repeat(255))).isPresent();
        assertThat(HostHeader.of("a".repeat(256))).isEmpty();
    }
}
