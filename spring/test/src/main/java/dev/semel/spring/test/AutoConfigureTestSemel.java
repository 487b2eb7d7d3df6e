// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.test.context.TestPropertySource;

/**
 * A test of a Spring Boot application whose claims are in memory, in a {@link dev.semel.test.TestSemel}. The test can inject
 * it, move its clock, simulate a crash and check what ran. It is reset before each test.
 *
 * <pre>{@code
 * @SpringBootTest
 * @AutoConfigureTestSemel
 * class PaymentsTest {
 *     @Autowired TestSemel semel;
 *     @Autowired Payments payments;
 * }
 * }</pre>
 *
 * <p>The rest is the application's own: its engine, its advice on {@code @Idempotent} methods, its routes and webhooks. The
 * property {@code semel.secret} is not needed, and Redis is not used. A method that joins the caller's transaction is refused,
 * because claims in memory cannot be part of it: test it without this annotation, on the database that you use.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ImportAutoConfiguration
@TestPropertySource(properties = "semel.redis.enabled=false")
public @interface AutoConfigureTestSemel {}
