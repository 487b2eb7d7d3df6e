// SPDX-License-Identifier: Apache-2.0
package dev.semel.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test class that uses Semel in memory: constructors and test methods may have parameters of the types {@link TestSemel},
 * {@link dev.semel.Semel} and {@link dev.semel.testkit.MutableClock}. See {@link SemelExtension}.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(SemelExtension.class)
public @interface SemelTest {}
