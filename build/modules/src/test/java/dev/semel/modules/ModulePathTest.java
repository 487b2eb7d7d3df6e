// SPDX-License-Identifier: Apache-2.0
package dev.semel.modules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@link SampleProgram} from the built jars in a process of its own. */
class ModulePathTest {
    private static final String MODULE = "dev.semel.modules";
    private static final String PROGRAM = "dev.semel.modules.SampleProgram";

    private static final String SAME_ON_BOTH = """
            memory: Succeeded[value=receipt 4711, replayed=false]
            memory: Succeeded[value=receipt 4711, replayed=true]
            jdbc: Succeeded[value=receipt 4711, replayed=false]
            jdbc: Succeeded[value=receipt 4711, replayed=true]
            jdbc: Succeeded[value=receipt 4712, replayed=false]
            jdbc: Succeeded[value=receipt 4712, replayed=true]
            journal: migrated
            dynamodb: UNREACHABLE
            redis: false
            jackson2: Succeeded[value=[17], replayed=false]
            jackson3: Succeeded[value=17, replayed=false]
            jackson2: Succeeded[value=[17], replayed=true]
            jackson3: Succeeded[value=17, replayed=true]
            micrometer: 1.0
            tracing: Succeeded[value=receipt 4711, replayed=false]
            operations: true
            operations: Done[result=string of 4 characters, reused=false, note=null]
            operations: Done[result=string of 4 characters, reused=true, note=null]
            http: Answer
            http: Replay
            servlet: IdempotencyFilter
            webhooks: PROCESSED
            webhooks: ALREADY_PROCESSED
            messaging: Acknowledge[duplicate=false]
            messaging: Acknowledge[duplicate=true]
            messaging: UNREADABLE
            messaging: true
            console: index.html
            exit 0""";

    @TempDir
    private Path folder;

    @Test
    void theProgramRunsOnTheClassPath() throws Exception {
        assertThat(java("-cp", jars(), PROGRAM)).isEqualTo("core: class path\n" + SAME_ON_BOTH);
    }

    @Test
    void theProgramRunsOnTheModulePath() throws Exception {
        assertThat(java("-p", jars(), "-m", MODULE + "/" + PROGRAM))
                .isEqualTo("core: module dev.semel\n" + SAME_ON_BOTH);
    }

    /** Guards the two tests above: with class folders they would not test what is published. */
    @Test
    void thePathHoldsJarsOnly() throws IOException {
        assertThat(Stream.of(jars().split(File.pathSeparator))).allMatch(entry -> entry.endsWith(".jar"));
    }

    private static String jars() throws IOException {
        String dependencies = Files.readString(Path.of(System.getProperty("semel.modules.dependencies")));
        return System.getProperty("semel.modules.jar") + File.pathSeparator + dependencies.strip();
    }

    private String java(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(arguments));
        command.add(folder.toString());
        Path errors = folder.resolve("errors.txt");
        Process process =
                new ProcessBuilder(command).redirectError(errors.toFile()).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        return output + (status == 0 ? "" : Files.readString(errors)) + "exit " + status;
    }
}
