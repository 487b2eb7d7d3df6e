// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.provider.ArgumentsSource;

/**
 * Runs a parameterized class or test once for each {@link DatabaseKind} that the build tests: PostgreSQL, MariaDB and SQLite, and
 * MySQL in the profile {@code mysql}. {@code -Dtest.databases=MYSQL} selects some of them.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ArgumentsSource(TestedDatabases.class)
public @interface EachDatabase {
    /** Databases that the test does not run on. */
    DatabaseKind[] except() default {};
}
