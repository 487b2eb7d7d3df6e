// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.test;

import dev.semel.test.TestSemel;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;

/**
 * Resets the {@link TestSemel} of the application before each test, also before methods with {@code @BeforeEach}. After the
 * last test of a class it is reset too: an application that is closed while its store is down would wait for the store.
 */
public final class TestSemelResetListener implements TestExecutionListener {
    @Override
    public void beforeTestMethod(TestContext test) {
        reset(test);
    }

    @Override
    public void afterTestClass(TestContext test) {
        reset(test);
    }

    private static void reset(TestContext test) {
        if (test.hasApplicationContext()) {
            test.getApplicationContext().getBeanProvider(TestSemel.class).ifAvailable(TestSemel::reset);
        }
    }
}
