// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRangeTest {
    @ParameterizedTest
    @ValueSource(strings = {"256.1.1.1", "1.1.1.999", "1.2.3", "1", "a.b.c.d", "", "1:2", "::300.1.1.1", "10.0.0.0/33"})
    void rejectsTextThatIsNotAnAddress(String text) {
        assertThat(AddressRange.of(text)).isEmpty();
        assertThat(AddressRange.of("0.0.0.0/0").orElseThrow().contains(text)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "10.255.199.9", "255.255.255.255"})
    void everyOctetUpTo255Counts(String text) {
        assertThat(AddressRange.of(text).orElseThrow().contains(text)).isTrue();
        assertThat(AddressRange.literal(text + ":80")).contains(text);
    }

    /** Runs a JVM that resolves names from a file. The file contains a name that looks like an address. */
    @Test
    void neverUsesDns(@TempDir Path folder) throws IOException, InterruptedException {
        Path hosts = Files.writeString(folder.resolve("hosts"), "10.0.0.1 999.999.999.999\n");
        Process asked = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djdk.net.hosts.file=" + hosts,
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Asked.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(asked.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(said.strip()).isEqualTo("Optional.empty");
    }

    /** The main class of that JVM. */
    static final class Asked {
        private Asked() {}

        public static void main(String[] arguments) {
            System.out.println(AddressRange.of("999.999.999.999"));
        }
    }
}
