// SPDX-License-Identifier: Apache-2.0
package dev.semel.outside;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Builds and runs the project in src/test/project with Maven, in a folder outside of this repository.
 *
 * <p>Its Maven has an empty local repository, into which the test copies what {@code mvn install} would install. All other
 * artifacts come from the local repository of this build, as if that were a remote one. So it needs no network, and it
 * changes nothing outside of its folder.
 */
class OutsideProjectTest {
    private static final Path SOURCES = Path.of("src/test/project");
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final String VERSION = System.getProperty("semel.outside.version");
    private static final Pattern README_XML = Pattern.compile("```xml\n(.*?)```", Pattern.DOTALL);

    @TempDir
    private Path folder;

    private Path project;
    private Path repository;

    @BeforeEach
    void copyTheProject() throws IOException {
        project = folder.resolve("shop");
        repository = folder.resolve("repository");
        try (Stream<Path> files = Files.walk(SOURCES)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                copy(file, project.resolve(SOURCES.relativize(file)));
            }
        }
        Files.writeString(folder.resolve("settings.xml"), """
                <settings>
                  <mirrors>
                    <mirror>
                      <id>downloaded</id>
                      <mirrorOf>*</mirrorOf>
                      <url>%s</url>
                    </mirror>
                  </mirrors>
                </settings>
                """.formatted(
                Path.of(System.getProperty("semel.outside.localRepository")).toUri()));
    }

    @Test
    void theProjectCompilesAndRuns() throws Exception {
        install();

        assertThat(maven("compile")).endsWith("exit 0");
        assertThat(shop()).isEqualTo("""
                placing the order
                Succeeded[value=Order[id=order-17, total=10.00, day=2026-02-28, coupon=Optional.empty], replayed=false]
                exit 0""");
        assertThat(shop()).isEqualTo("""
                Succeeded[value=Order[id=order-17, total=10.00, day=2026-02-28, coupon=Optional.empty], replayed=true]
                exit 0""");
    }

    /** Guards the test above: it must not find Semel anywhere but among the installed artifacts. */
    @Test
    void theProjectDoesNotCompileBeforeTheInstallation() throws Exception {
        assertThat(maven("compile"))
                .contains("dev.semel:semel-bom:pom:" + VERSION)
                .endsWith("exit 1");
    }

    @Test
    void theProjectUsesTheCoordinatesOfTheReadme() throws IOException {
        Matcher readme = README_XML.matcher(Files.readString(ROOT.resolve("README.md")));

        assertThat(readme.find()).as("README.md has XML").isTrue();
        assertThat(withoutSpace(Files.readString(SOURCES.resolve("pom.xml")))).contains(withoutSpace(readme.group(1)));
        assertThat(readme.group(1)).contains("<version>" + VERSION + "</version>");
    }

    /** Copies what {@code mvn install} would: the parent, the BOM, and the modules on which the project depends. */
    private void install() throws IOException {
        installPom("semel-parent", ROOT);
        installPom("semel-bom", ROOT.resolve("bom"));
        String dependencies = Files.readString(Path.of(System.getProperty("semel.outside.dependencies")));
        List<Path> jars = Stream.of(dependencies.strip().split(File.pathSeparator))
                .map(Path::of)
                .filter(jar -> jar.getFileName().toString().startsWith("semel-"))
                .toList();
        assertThat(jars).hasSize(3).allMatch(jar -> jar.toString().endsWith("-" + VERSION + ".jar"));
        for (Path jar : jars) {
            String artifact = jar.getFileName().toString().replace("-" + VERSION + ".jar", "");
            copy(jar, installed(artifact, "jar"));
            installPom(artifact, jar.getParent().getParent());
        }
    }

    private void installPom(String artifact, Path module) throws IOException {
        copy(module.resolve("pom.xml"), installed(artifact, "pom"));
    }

    private Path installed(String artifact, String type) {
        return repository.resolve("dev/semel/%s/%s/%s-%s.%s".formatted(artifact, VERSION, artifact, VERSION, type));
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to.getParent());
        Files.copy(from, to);
    }

    private String maven(String phase) throws IOException, InterruptedException {
        return run(
                Path.of(System.getProperty("semel.outside.maven"), "bin", "mvn").toString(),
                "--batch-mode",
                "--no-transfer-progress",
                "--settings",
                folder.resolve("settings.xml").toString(),
                "--global-settings",
                folder.resolve("settings.xml").toString(),
                "-Dmaven.repo.local=" + repository,
                phase);
    }

    private String shop() throws IOException, InterruptedException {
        String libraries = Files.readString(project.resolve("target/class-path.txt"));
        return run(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                project.resolve("target/classes") + File.pathSeparator + libraries.strip(),
                "shop.OrderProgram",
                folder.resolve("claims.db").toString());
    }

    /** The standard output and the exit status, and the errors if it failed. */
    private String run(String... command) throws IOException, InterruptedException {
        Path output = folder.resolve("output.txt");
        Path errors = folder.resolve("errors.txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(project.toFile())
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -Xmx256m");
        builder.environment().remove("MAVEN_ARGS");
        int status = builder.start().waitFor();
        return Files.readString(output) + (status == 0 ? "" : Files.readString(errors)) + "exit " + status;
    }

    private static String withoutSpace(String text) {
        return text.replaceAll("\\s+", "");
    }
}
