// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What an application printed while it started.
 *
 * @param failure why it did not start; null if it did
 */
record Output(String text, @Nullable Throwable failure) {
    /** Runs and captures the standard output, which Spring Boot's log goes to. Tests of a JVM run one after the other. */
    static Output of(Runnable start) {
        PrintStream before = System.out;
        ByteArrayOutputStream captured = new ByteArrayOutputStream();
        Throwable failure = null;
        System.setOut(new PrintStream(captured, true, StandardCharsets.UTF_8));
        try {
            start.run();
        } catch (RuntimeException e) {
            failure = e;
        } finally {
            System.setOut(before);
        }
        return new Output(captured.toString(StandardCharsets.UTF_8), failure);
    }
}
