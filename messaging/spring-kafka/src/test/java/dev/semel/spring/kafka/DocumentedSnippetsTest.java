// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Semel;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java snippets of docs/messaging.md compile as they are, given what an application has around them. */
class DocumentedSnippetsTest {
    private static final Pattern SNIPPET = Pattern.compile("(?ms)^```java\\n(.*?)^```$");

    private static final String IMPORTS = """
            import dev.semel.*;
            import dev.semel.jdbc.*;
            import dev.semel.kafka.*;
            import dev.semel.messaging.*;
            import dev.semel.spring.kafka.*;
            import java.sql.*;
            import java.util.*;
            import java.util.concurrent.*;
            import java.util.function.Function;
            import org.apache.kafka.clients.consumer.*;
            import org.springframework.context.annotation.*;
            import org.springframework.kafka.annotation.*;
            import org.springframework.kafka.config.*;
            import org.springframework.kafka.core.*;
            """;

    /** Records what happens. */
    private static final String AROUND = """
            class Around {
                record Order(String id) {}

                final List<String> log = new ArrayList<>();
                final Payments payments = new Payments();
                final DeadOrders deadOrders = new DeadOrders();
                final Queue queue = new Queue();

                class Payments {
                    void charge(Order order, String key) {
                        log.add("charge " + order.id());
                    }
                }

                class DeadOrders {
                    void insert(String id, Order order, DeadLetter.Reason reason) {
                        log.add("dead " + order.id());
                    }
                }

                class Queue {
                    void acknowledge(Order order) {
                        log.add("acknowledge " + order.id());
                    }

                    void retryLater(Order order, java.time.Duration after) {
                        log.add("later " + order.id());
                    }
                }
            }
            """;

    private static final List<String> FRAMES = List.of("""
            public class Snippet0 extends Around implements Function<Semel, List<String>> {
                public List<String> apply(Semel semel) {
                    Order order = new Order("17");
                    for (int delivery = 1; delivery <= 2; delivery++) {
            %s
                    }
                    return log;
                }
            }
            """, """
            class Snippet1 extends Around {
                void use(Semel semel, JdbcClaimStore store, ConsumerGate<Order> gate, Order order) {
            %s
                }

                void insertOrder(Connection connection, Order order) throws SQLException {}
            }
            """, """
            class Snippet2 {
                interface Topic {
                    Future<?> send(ConsumerRecord<String, String> record, DeadLetter letter);
                }

                void use(Semel semel, Map<String, Object> settings, Topic deadLetterTopic) {
            %s
                }

                void place(String order, String key) {}
            }
            """, """
            class Snippet3 {
                void use(Map<String, Object> settings, ConsumerGate<ConsumerRecord<String, String>> gate) {
                    GatedConsumer.<String, String>of(settings, KafkaConsumer::new).topics("orders")
            %s
                            .build();
                }

                void bulkInsert(List<ClaimedMessage<ConsumerRecord<String, String>>> messages) {}
            }
            """, """
            class Snippet4 extends Around {
            %s
            }
            """);

    @TempDir
    private Path classes;

    private List<String> snippets = List.of();

    @BeforeEach
    void read() throws IOException {
        // The same from this module and from the one that runs these tests with Spring Boot 4.
        String document = Files.readString(Path.of("..", "..", "docs", "messaging.md"));
        snippets =
                SNIPPET.matcher(document).results().map(found -> found.group(1)).toList();
    }

    @Test
    void everySnippetCompiles() {
        assertThat(snippets).hasSameSizeAs(FRAMES);
        for (int i = 0; i < FRAMES.size(); i++) {
            assertThat(errors(i, snippets.get(i))).as(snippets.get(i)).isEmpty();
        }
    }

    @Test
    void theFirstSnippetChargesOnceAndAcknowledgesTwice() throws Exception {
        assertThat(errors(0, snippets.get(0))).isEmpty();
        try (URLClassLoader loader = new URLClassLoader(
                        new URL[] {classes.toUri().toURL()}, getClass().getClassLoader());
                Semel semel = Semel.on(new MemoryClaimStore())
                        .secrets(Secrets.of("a secret of at least thirty-two bytes, for tests only"))
                        .build()) {
            @SuppressWarnings("unchecked")
            Function<Semel, List<String>> snippet = (Function<Semel, List<String>>)
                    loader.loadClass("Snippet0").getConstructor().newInstance();

            assertThat(snippet.apply(semel)).containsExactly("charge 17", "acknowledge 17", "acknowledge 17");
        }
    }

    @Test
    void theRuleCanFail() {
        assertThat(errors(1, "gate.receiveTwice(order);")).contains("receiveTwice");
    }

    /** What the compiler reports; empty if it accepts the snippet. */
    private String errors(int frame, String snippet) {
        StringWriter output = new StringWriter();
        boolean compiled = ToolProvider.getSystemJavaCompiler()
                .getTask(
                        output,
                        null,
                        null,
                        List.of("-d", classes.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none"),
                        null,
                        List.of(
                                source("Around", AROUND),
                                source("Snippet" + frame, FRAMES.get(frame).formatted(snippet))))
                .call();
        return compiled ? "" : output.toString();
    }

    private static JavaFileObject source(String name, String text) {
        return new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return IMPORTS + text;
            }
        };
    }
}
