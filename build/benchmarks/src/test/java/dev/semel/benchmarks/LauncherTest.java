// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class LauncherTest {
    @Test
    void theServerGetsWhatTheLauncherGivesIt() {
        assertThat(Launcher.options("""
                run() {
                  exec "$java" -Xmx9g "$@"
                }

                run_server() {
                  exec "$java" -Xms1m -Xmx2m \\
                    -XX:+UseSerialGC ${SEMEL_JAVA_OPTS:-} \\
                    -jar "$root/server.jar" "$@"
                }
                """)).containsExactly("-Xms1m", "-Xmx2m", "-XX:+UseSerialGC");
    }

    @Test
    void theOptionsOfTheRealLauncherAreFound() throws IOException {
        assertThat(Launcher.java()).anyMatch(option -> option.startsWith("-Xmx"));
    }

    @Test
    void aLauncherWithoutOptionsIsAnError() {
        assertThatThrownBy(() -> Launcher.options("\nserve() {\n  java -Xmx1g\n}\n"))
                .hasMessageContaining("adapt this class to the launcher");
    }
}
