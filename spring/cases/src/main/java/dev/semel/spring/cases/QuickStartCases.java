// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.util.ClassUtils;

/** Compiles and runs the quick start of the documentation. */
public abstract class QuickStartCases {
    private static final String IMPORTS = """
            package quickstart;

            import dev.semel.spring.Idempotent;
            import org.springframework.beans.factory.annotation.Autowired;
            import org.springframework.boot.autoconfigure.SpringBootApplication;
            import org.springframework.jdbc.core.JdbcTemplate;
            import org.springframework.stereotype.Service;
            import org.springframework.transaction.annotation.Transactional;

            """;

    /** What a user of the quick start already has. */
    private static final String APPLICATION = """

            @SpringBootApplication
            class Application {}

            record Order(String id, String status) {}
            """;

    private static final String REQUEST = """
            package quickstart;

            public record OrderRequest(String id, int amount) {}
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it.
    private Path folder;

    private final ShopDatabase database = SharedShop.database();

    @Test
    void quickStartHasAtMostTwelveLinesAndRunsOnce() throws Exception {
        QuickStart quickStart = QuickStart.read();
        assertThat(quickStart.lines()).isLessThanOrEqualTo(12);
        compile(quickStart, "-parameters");

        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, QuickStartCases.class.getClassLoader())) {
            try (ConfigurableApplicationContext context = start(loader, quickStart)) {
                Object first = create(context, loader, 10);
                Object again = create(context, loader, 10);

                assertThat(again).isEqualTo(first).hasToString("Order[id=q-1, status=created]");
                assertThat(database.orders("q-1")).isEqualTo(1);
            }
        }
    }

    @Test
    void classWithoutParameterNamesIsRefusedWithTheFix() throws Exception {
        QuickStart quickStart = QuickStart.read();
        compile(quickStart, "-g:none");
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, QuickStartCases.class.getClassLoader())) {
            Output output = Output.of(() -> start(loader, quickStart).close());

            assertThat(output.failure()).isNotNull();
            assertThat(output.text()).contains("uses #request", "compile it with -parameters", "#p0");
        }
    }

    private void compile(QuickStart quickStart, String option) throws IOException {
        Path orders = Files.writeString(
                folder.resolve("Orders.java"), IMPORTS + String.join("\n", quickStart.code()) + "\n" + APPLICATION);
        Path request = Files.writeString(folder.resolve("OrderRequest.java"), REQUEST);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        int result = compiler.run(
                null,
                null,
                null,
                option,
                "-proc:none",
                "-classpath",
                System.getProperty("java.class.path"),
                "-d",
                folder.toString(),
                orders.toString(),
                request.toString());
        assertThat(result).isZero();
    }

    private ConfigurableApplicationContext start(ClassLoader loader, QuickStart quickStart) {
        List<String> properties = new ArrayList<>(RunningShop.properties(database));
        properties.add("SHOP_SEMEL_SECRET=" + RunningShop.SECRET);
        return new SpringApplicationBuilder(ClassUtils.resolveClassName("quickstart.Application", loader))
                .resourceLoader(new DefaultResourceLoader(loader))
                .web(WebApplicationType.NONE)
                .run(RunningShop.arguments(properties, quickStart.properties().toArray(String[]::new)));
    }

    private static Object create(ConfigurableApplicationContext context, ClassLoader loader, int amount)
            throws ReflectiveOperationException {
        Constructor<?> request = loader.loadClass("quickstart.OrderRequest").getConstructor(String.class, int.class);
        Class<?> orders = loader.loadClass("quickstart.Orders");
        Method create = orders.getMethod("create", request.getDeclaringClass());
        return create.invoke(context.getBean(orders), request.newInstance("q-1", amount));
    }
}
