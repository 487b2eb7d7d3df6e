// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.spring.Idempotent;
import dev.semel.spring.TransactionMode;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.config.annotation.PathMatchConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.util.pattern.PathPatternParser;

/** What an application says if it cannot start, and how to fix it. */
public abstract class StartCases {
    private static final String NO_DATA_SOURCE = "spring.autoconfigure.exclude="
            + "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration,"
            + "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration";
    private static final String SECRET = "semel.secret=" + RunningShop.SECRET;
    private static final String MEMORY = "semel.store=memory";
    private static final List<String> QUIET = List.of(
            "spring.main.banner-mode=off",
            "spring.flyway.enabled=false",
            "semel.redis.enabled=false",
            "server.address=127.0.0.1",
            "logging.level.root=WARN");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it.
    private Path folder;

    private static Output start(Class<?> application, String... properties) {
        return Output.of(() -> run(application, properties).close());
    }

    private static ConfigurableApplicationContext run(Class<?> application, String... properties) {
        return new SpringApplicationBuilder(application)
                .web(WebApplicationType.NONE)
                .run(RunningShop.arguments(QUIET, properties));
    }

    private static void assertRefused(Output output, String... parts) {
        assertThat(output.failure()).isNotNull();
        assertThat(output.text())
                .contains("APPLICATION FAILED TO START", "Action:")
                .contains(parts);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Empty {}

    @Test
    void secretIsRequired() {
        assertRefused(start(Empty.class, NO_DATA_SOURCE, MEMORY), "semel.secret is missing", "openssl rand -hex 32");
    }

    @Test
    void shortSecretIsRefusedAndNotShown() {
        Output output = start(Empty.class, NO_DATA_SOURCE, MEMORY, "semel.secret=tooshort");

        assertRefused(output, "at least 32 bytes");
        assertThat(output.text()).doesNotContain("tooshort");
    }

    @Test
    void secretThatIsAnUnresolvedPlaceholderIsRefused() {
        assertRefused(
                start(Empty.class, NO_DATA_SOURCE, MEMORY, "semel.secret=${NO_SUCH_VARIABLE_OF_THIS_APPLICATION}"),
                "semel.secret is ${NO_SUCH_VARIABLE_OF_THIS_APPLICATION}",
                "Set the environment variable or property NO_SUCH_VARIABLE_OF_THIS_APPLICATION");
    }

    @Test
    void unreachableDatabaseIsNamed() {
        assertRefused(
                start(
                        Empty.class,
                        SECRET,
                        "spring.datasource.url=jdbc:postgresql://127.0.0.1:1/none",
                        "semel.store-timeout=300ms"),
                "Semel cannot reach the application's database",
                "Check spring.datasource.url");
    }

    @Test
    void storeIsRequired() {
        assertRefused(
                start(Empty.class, NO_DATA_SOURCE, SECRET), "no DataSource", "semel.sqlite", "semel.store=memory");
    }

    @Test
    void memoryAndFileNeedNoDataSource() {
        Operation<String> operation = Operation.of("start", Codec.text());
        for (String store : List.of(MEMORY, "semel.sqlite=" + folder.resolve("claims.db"))) {
            try (ConfigurableApplicationContext context = run(Empty.class, NO_DATA_SOURCE, SECRET, store)) {
                Semel semel = context.getBean(Semel.class);
                semel.execute(operation, operation.key("t", "k"), run -> "once");

                assertThat(semel.execute(operation, operation.key("t", "k"), run -> "twice"))
                        .isEqualTo(new Outcome.Succeeded<>("once", true));
            }
        }
        assertThat(folder.resolve("claims.db")).exists();
    }

    @Test
    void missingTablesAreNamedWithTheirStatements() {
        try (ShopDatabase database = new ShopDatabase()) {
            List<String> properties = new ArrayList<>(RunningShop.properties(database));
            properties.add("semel.schema=check");

            assertRefused(
                    start(Empty.class, properties.toArray(String[]::new)),
                    "CREATE TABLE",
                    "idempotency_keys",
                    "remove semel.schema=check");
            assertThat(database.single("SELECT to_regclass('idempotency_keys')::text"))
                    .isNull();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class WrongDuration extends Empty {
        @Idempotent(scope = "a", key = "#p0", ttl = "a day")
        public void method(String id) {}
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class WrongVariable extends Empty {
        @Idempotent(scope = "a", key = "#order.id")
        public void method(String id) {}
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class NoVariable extends Empty {
        @Idempotent(scope = "a", key = "id")
        public void method(String id) {}
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class LeavesTransaction extends Empty {
        @Idempotent(scope = "a", key = "#p0", transaction = TransactionMode.JOIN)
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void method(String id) {}
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class TwoModes extends Empty {
        @Idempotent(scope = "a", key = "#p0", transaction = TransactionMode.JOIN)
        public void joins(String id) {}

        @Idempotent(scope = "a", key = "#p0")
        public void refuses(String id) {}
    }

    /** A bean behind an interface, whose annotation is on the class. */
    public interface Counter {
        int next(String id);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class BehindInterface extends Empty {
        @Bean
        Counter counter() {
            return new Counter() {
                private final AtomicInteger count = new AtomicInteger();

                @Override
                @Idempotent(scope = "counter", key = "#p0")
                public int next(String id) {
                    return count.incrementAndGet();
                }
            };
        }
    }

    @Test
    void jdkProxyGuardsAMethodWhoseClassHasTheAnnotation() {
        try (ConfigurableApplicationContext context =
                run(BehindInterface.class, NO_DATA_SOURCE, SECRET, MEMORY, "spring.aop.proxy-target-class=false")) {
            Counter counter = context.getBean(Counter.class);

            assertThat(Proxy.isProxyClass(counter.getClass())).isTrue();
            assertThat(counter.next("a")).isEqualTo(1);
            assertThat(counter.next("a")).isEqualTo(1);
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Routed extends Empty {
        @Bean
        DataSource routing() {
            AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {
                @Override
                protected Object determineCurrentLookupKey() {
                    return "of this thread";
                }
            };
            routing.setTargetDataSources(Map.of());
            return routing;
        }
    }

    @Test
    void dataSourceThatDependsOnTheThreadIsRefused() {
        assertRefused(start(Routed.class, SECRET), "chooses a database for each thread", "Set semel.data-source");
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class AnyCase extends Empty implements WebMvcConfigurer {
        @Override
        public void configurePathMatch(PathMatchConfigurer configurer) {
            PathPatternParser parser = new PathPatternParser();
            parser.setCaseSensitive(false);
            configurer.setPatternParser(parser);
        }

        @Bean
        ProtectedController protectedController() {
            return new ProtectedController();
        }
    }

    /** A protected route. */
    @RestController
    public static class ProtectedController {
        @PostMapping("/protected")
        @Idempotent(scope = "protected")
        public String post() {
            return "done";
        }
    }

    /** A request to /PROTECTED would reach the handler without protection. */
    @Test
    void pathsWithoutCaseAreRefused() {
        assertRefused(
                Output.of(() -> new SpringApplicationBuilder(AnyCase.class)
                        .web(WebApplicationType.SERVLET)
                        .run(RunningShop.arguments(QUIET, NO_DATA_SOURCE, SECRET, MEMORY, "server.port=0"))
                        .close()),
                "compares paths without regard to case",
                "Remove setCaseSensitive(false)");
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class WrongSyntax extends Empty {
        @Idempotent(scope = "a", key = "#id +")
        public void method(String id) {}
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class NoKey extends Empty {
        @Idempotent(scope = "a")
        public void method(String id) {}
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class TwoTypes extends Empty {
        @Idempotent(scope = "a", key = "#p0")
        public String first(String id) {
            return id;
        }

        @Idempotent(scope = "a", key = "#p0")
        public int second(String id) {
            return id.length();
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class WrongResult extends Empty {
        @Idempotent(scope = "a", key = "#p0")
        public Stream<String> method(String id) {
            return Stream.of(id);
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class GenericResult extends Empty {
        @Idempotent(scope = "a", key = "#p0")
        @SuppressWarnings({"TypeParameterUnusedInFormals", "unchecked"}) // The point of the test.
        public <T> List<? extends T[]> method(String id) {
            return List.<T[]>of((T[]) new Object[] {id});
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class FutureInTransaction extends Empty {
        @Idempotent(scope = "a", key = "#p0", transaction = TransactionMode.JOIN)
        public CompletableFuture<String> method(String id) {
            return CompletableFuture.completedFuture(id);
        }
    }

    @Test
    void wrongAnnotationsAreRefusedWithTheFix() {
        assertRefused(wrong(WrongDuration.class), "ttl = \"a day\"", "WrongDuration.method", "P1D");
        assertRefused(wrong(WrongVariable.class), "uses #order", "#p0, #a0, #id");
        assertRefused(wrong(WrongSyntax.class), "not a valid SpEL expression");
        assertRefused(wrong(NoKey.class), "has no key", "#request.id");
        assertRefused(wrong(TwoTypes.class), "results of two types", "TwoTypes.first", "TwoTypes.second");
        assertRefused(wrong(WrongResult.class), "cannot store a java.util.stream.Stream");
        assertRefused(wrong(GenericResult.class), "returns java.util.List<? extends T[]>", "Return a concrete type");
        assertRefused(wrong(FutureInTransaction.class), "returns a future");
        assertRefused(wrong(NoVariable.class), "begins with id, which is no variable", "#id");
        assertRefused(wrong(LeavesTransaction.class), "propagation = REQUIRES_NEW", "remove transaction = JOIN");
        assertRefused(wrong(TwoModes.class), "TwoModes.joins", "TwoModes.refuses", "two scopes");
    }

    private static Output wrong(Class<?> application) {
        return start(application, NO_DATA_SOURCE, SECRET, MEMORY);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Unguarded extends Empty {
        @Idempotent(scope = "a", key = "#p0")
        public final void finalMethod(String id) {}

        @Idempotent(scope = "b", key = "#p0")
        static void staticMethod(String id) {}

        @Idempotent(scope = "c", key = "#p0")
        @SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // The point of the test.
        private void privateMethod(String id) {}
    }

    @Test
    void methodsThatNoProxyGuardsAreNamed() {
        Output output = wrong(Unguarded.class);

        assertThat(output.failure()).isNull();
        assertThat(output.text())
                .contains("Unguarded.finalMethod has no effect")
                .contains("Unguarded.staticMethod has no effect")
                .contains("Unguarded.privateMethod has no effect");
    }
}
