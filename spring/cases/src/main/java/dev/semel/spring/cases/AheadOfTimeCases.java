// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplicationAotProcessor;

/** An application that is processed ahead of time, as {@code process-aot} of Spring Boot's build plugins does it. */
public abstract class AheadOfTimeCases {
    private static final String CLASS_PATH = System.getProperty("java.class.path");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it.
    private Path folder;

    @Test
    @Tag("slow")
    void processedApplicationRunsOnce() throws Exception {
        try (ShopDatabase database = new ShopDatabase()) {
            List<String> properties = new ArrayList<>(RunningShop.properties(database));
            properties.add("semel.webhooks.stripe.secret=whsec_0123456789abcdef");
            Path classes = process(properties);
            assertThat(hints())
                    .contains("dev/semel/jdbc/", "dev/semel/console/files/")
                    .contains("AheadOfTimeShop$Receipt", "cases.OrderRequest", "AheadOfTimeShop$Event");

            List<String> run = new ArrayList<>(List.of("-Dspring.aot.enabled=true", "-cp"));
            run.add(classes + File.pathSeparator + folder.resolve("resources") + File.pathSeparator + CLASS_PATH);
            run.add(AheadOfTimeShop.class.getName());
            run.addAll(properties);
            assertThat(java(run)).contains("""
                    Receipt[id=a-1, number=1]
                    Receipt[id=a-1, number=1]
                    """);
        }
    }

    private Path process(List<String> properties) throws IOException, InterruptedException {
        Path sources = folder.resolve("sources");
        Path classes = folder.resolve("classes");
        List<String> process = new ArrayList<>(List.of(
                "-cp",
                CLASS_PATH,
                SpringApplicationAotProcessor.class.getName(),
                AheadOfTimeShop.class.getName(),
                sources.toString(),
                folder.resolve("resources").toString(),
                classes.toString(),
                "shop",
                "shop"));
        process.addAll(properties);
        java(process);
        List<String> compile = new ArrayList<>(List.of(
                "-nowarn", "-proc:none", "-cp", classes + File.pathSeparator + CLASS_PATH, "-d", classes.toString()));
        try (Stream<Path> files = Files.walk(sources)) {
            files.map(Path::toString).filter(name -> name.endsWith(".java")).forEach(compile::add);
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, compile.toArray(String[]::new)))
                .isZero();
        return classes;
    }

    /** What a native image would contain. The names of the files differ between the generations. */
    private String hints() throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(folder.resolve("resources/META-INF/native-image/shop/shop"))) {
            for (Path file :
                    files.filter(name -> name.toString().endsWith(".json")).toList()) {
                all.append(Files.readString(file));
            }
        }
        return all.toString().replace("\\/", "/");
    }

    private static String java(List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:TieredStopAtLevel=1");
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
