// SPDX-License-Identifier: Apache-2.0
package dev.semel.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java snippets of CONTRIBUTING.md compile as they are, given a package, imports and a store to test. */
class ContributingTest {
    private static final Pattern SNIPPET = Pattern.compile("(?ms)^ *```java\\n(.*?)^ *```$");
    private static final Pattern CLASS_NAME = Pattern.compile("\\bclass (\\w+)");

    /** The package of {@code ProviderContract}, which is not public. */
    private static final String HEADER = """
            package dev.semel.webhooks.provider;
            import dev.semel.claim.*;
            import dev.semel.spi.*;
            import dev.semel.testkit.*;
            import java.time.Duration;
            import java.util.*;
            import org.junit.jupiter.api.Nested;
            """;

    /** A declaration without a body: the snippets are compiled and never run. */
    private static final String STORE = """
            abstract class MyStore implements ClaimStore, ClaimBrowser, CacheEpoch {
                static native MyStore open();
                abstract void backdate(ClaimRef ref, Duration by);
            }
            """;

    @TempDir
    private Path classes;

    @Test
    void everySnippetCompiles() throws IOException {
        List<String> snippets = snippets(Files.readString(SourceFiles.ROOT.resolve("CONTRIBUTING.md")));

        assertThat(snippets).hasSize(2);
        assertThat(errors(snippets)).isEmpty();
    }

    @Test
    void theRuleCanFail() {
        List<String> snippets = snippets("""
                1. A store:

                   ```java
                   class HalfContractTest extends ClaimStoreContract {
                       @Override protected ClaimStore store() { return null; }
                   }
                   ```
                """);

        assertThat(errors(snippets)).contains("HalfContractTest is not abstract");
    }

    private static List<String> snippets(String markdown) {
        return SNIPPET.matcher(markdown).results().map(match -> match.group(1)).toList();
    }

    /** What the compiler reports; empty if it accepts all of them together. */
    private String errors(List<String> snippets) {
        List<JavaFileObject> sources = new ArrayList<>(List.of(source(STORE)));
        snippets.forEach(snippet -> sources.add(source(snippet)));
        Path webhooks = SourceFiles.ROOT.resolve("webhooks/target/test-classes");
        assertThat(webhooks).as("compiled by this build").isDirectory();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter output = new StringWriter();
        String classPath = System.getProperty("java.class.path") + File.pathSeparator + webhooks;
        boolean compiled = compiler.getTask(
                        output,
                        null,
                        null,
                        List.of("-d", classes.toString(), "-cp", classPath, "-proc:none", "-nowarn"),
                        null,
                        sources)
                .call();
        return compiled ? "" : output.toString();
    }

    private static JavaFileObject source(String text) {
        Matcher name = CLASS_NAME.matcher(text);
        assertThat(name.find()).as("a class in %s", text).isTrue();
        URI file = URI.create("string:///" + name.group(1) + ".java");
        return new SimpleJavaFileObject(file, JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return HEADER + text;
            }
        };
    }
}
