// SPDX-License-Identifier: Apache-2.0
package dev.semel.examples.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testservers.KafkaServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the example against a real broker. */
class OnceInKafkaTest {
    @Test
    void aPaymentIsRecordedOnceOverRestarts(@TempDir Path folder) throws Exception {
        String broker = KafkaServer.shared().bootstrapServers();
        String file = folder.resolve("payments.db").toString();

        assertThat(printedBy(broker, file))
                .containsExactly("offset 0: recorded", "offset 1: duplicate", "payments: 1, 1999 cents");
        assertThat(printedBy(broker, file))
                .as("the offsets of the first run are committed")
                .containsExactly("offset 2: duplicate", "offset 3: duplicate", "payments: 1, 1999 cents");
        assertThat(launched(broker, file))
                .isEqualTo("offset 4: duplicate\noffset 5: duplicate\npayments: 1, 1999 cents\nexit 0");
    }

    private static List<String> printedBy(String... arguments) throws Exception {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            OnceInKafka.main(arguments);
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8).lines().toList();
    }

    /** With the launcher, as a user does. This build has already compiled what it needs. */
    private static String launched(String broker, String file) throws Exception {
        ProcessBuilder command = new ProcessBuilder(
                        Path.of("..", "..", "semel").toString(), "example", "kafka", broker, file)
                .redirectErrorStream(true);
        command.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = command.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return output + "exit " + process.waitFor();
    }
}
