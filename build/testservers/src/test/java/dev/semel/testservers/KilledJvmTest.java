// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A killed JVM cannot close anything itself. */
class KilledJvmTest {

    @Test
    void leavesNoServerAndNoDataBehind() throws IOException {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Victim.class.getName())
                .redirectError(Redirect.INHERIT)
                .start();
        try (BufferedReader said = jvm.inputReader()) {
            long pid = Long.parseLong(said.readLine());
            Path data = Path.of(said.readLine());
            ProcessTree tree = ProcessTree.of(ProcessHandle.of(pid).orElseThrow());
            assertThat(tree.isGone()).isFalse();
            assertThat(data).isDirectory();

            jvm.destroyForcibly();

            await().atMost(Duration.ofSeconds(20)).until(() -> tree.isGone() && Files.notExists(data.getParent()));
        } finally {
            jvm.destroyForcibly();
        }
    }

    static final class Victim {

        private Victim() {}

        public static void main(String[] arguments) throws InterruptedException {
            // The end of the thread that started the server must not affect the server.
            Thread starter = new Thread(() -> {
                PostgresServer server = PostgresServer.start();
                System.out.println(server.pid());
                System.out.println(server.dataDirectory());
            });
            starter.start();
            starter.join();
            Thread.currentThread().join();
        }
    }
}
