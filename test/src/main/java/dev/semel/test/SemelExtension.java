// SPDX-License-Identifier: Apache-2.0
package dev.semel.test;

import dev.semel.Semel;
import dev.semel.testkit.MutableClock;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Injects a {@link TestSemel}, its {@link Semel} or its {@link MutableClock} into constructors and methods of a JUnit test
 * class. The class and its nested classes share one, which is {@linkplain TestSemel#reset reset} before each test and closed
 * at the end. So the tests of one class must not run concurrently.
 *
 * <p>{@link SemelTest} registers it. To use an instance of your own, register it in a field: {@code @RegisterExtension static
 * final SemelExtension SEMEL = SemelExtension.of(() -> TestSemel.create(secrets));}
 */
public final class SemelExtension
        implements BeforeAllCallback, AfterAllCallback, BeforeEachCallback, AfterEachCallback, ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(SemelExtension.class);

    private static final Map<Class<?>, Function<TestSemel, Object>> PARAMETERS = Map.of(
            TestSemel.class, semel -> semel,
            Semel.class, TestSemel::semel,
            MutableClock.class, TestSemel::clock);

    private final Supplier<TestSemel> factory;

    /** Creates a {@link TestSemel} with the defaults. */
    public SemelExtension() {
        this(TestSemel::create);
    }

    private SemelExtension(Supplier<TestSemel> factory) {
        this.factory = Objects.requireNonNull(factory, "A factory must not be null");
    }

    /** Uses what this factory returns. It is called once for a test class. */
    public static SemelExtension of(Supplier<TestSemel> factory) {
        return new SemelExtension(factory);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        openIfAbsent(context);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        // Here only if the extension is registered in a field that is not static.
        openIfAbsent(context);
        opened(context).reset();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        closeIfOpenedFor(context);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        closeIfOpenedFor(context);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return PARAMETERS.containsKey(parameter.getParameter().getType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        // Here if the constructor of an instance for the whole class has it: that is called before beforeAll.
        openIfAbsent(context);
        Class<?> type = parameter.getParameter().getType();
        return Objects.requireNonNull(PARAMETERS.get(type)).apply(opened(context));
    }

    private void openIfAbsent(ExtensionContext context) {
        if (find(context) == null) {
            store(context).put(TestSemel.class, factory.get());
        }
    }

    /** Removes only what was opened for this context. What a parent opened stays. */
    private static void closeIfOpenedFor(ExtensionContext context) {
        TestSemel opened = store(context).remove(TestSemel.class, TestSemel.class);
        if (opened != null) {
            opened.close();
        }
    }

    private static TestSemel opened(ExtensionContext context) {
        return Objects.requireNonNull(find(context), "TestSemel was not opened");
    }

    /** Also what a parent context opened. */
    private static @Nullable TestSemel find(ExtensionContext context) {
        return store(context).get(TestSemel.class, TestSemel.class);
    }

    private static Store store(ExtensionContext context) {
        return context.getStore(NAMESPACE);
    }
}
