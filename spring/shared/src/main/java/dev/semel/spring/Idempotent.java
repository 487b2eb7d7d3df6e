// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import dev.semel.claim.StalePolicy;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a method once for its key. A duplicate returns the stored result of the first call.
 *
 * <pre>{@code
 * @Idempotent(scope = "orders.create", key = "#request.id")
 * @Transactional
 * public Order create(OrderRequest request) { ... }
 * }</pre>
 *
 * <p>On a method of a bean:
 *
 * <ul>
 *   <li>The result is stored as JSON of the method's return type. {@code void}, {@code Optional} and {@code CompletableFuture}
 *       work; streams and reactive types do not.
 *   <li>If the method throws, the exception reaches the caller unchanged, and the next call runs the method again.
 *   <li>If there is no result to return, a subclass of {@link dev.semel.NotDoneException} is thrown, for example {@code
 *       InProgress} while another caller runs the same key.
 *   <li>The advice runs outside {@code @Transactional}: the result is stored after the commit.
 *   <li>{@link CurrentRun} gives the method its child keys, its fence and {@code reject}.
 * </ul>
 *
 * <p>On a handler method of a controller, without {@link #key}: the route requires the header {@code Idempotency-Key}, and a
 * duplicate receives the first response byte for byte, with the rules of {@link dev.semel.servlet.IdempotencyFilter}.
 *
 * <p>Spring guards calls that come through the bean's proxy. A call from the same object, and final, private and static
 * methods, are not guarded.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Idempotent {
    /** The name of the operation. It stays the same if the method is renamed or moved. Required. */
    String scope();

    /**
     * The key as a SpEL expression over the parameters: {@code #request.id}, {@code #p0}, {@code #customer + ':' + #month}.
     * Text, numbers, UUIDs, enums and dates are keys. Required, except on handler methods of controllers, which take the key from the
     * header.
     */
    String key() default "";

    /** The tenant as a SpEL expression. By default the {@link CurrentTenant} bean decides, or {@code semel.tenant}. */
    String tenant() default "";

    /**
     * What must be equal in calls with the same key, as a SpEL expression: {@code #request}. A call with another value throws
     * {@code NotDoneException.Mismatch}. By default nothing is compared.
     */
    String fingerprint() default "";

    /** How long the result is replayed: {@code P1D}, {@code 24h}, or a placeholder. By default a day. */
    String ttl() default "";

    /** How long ownership lasts without a renewal. By default five minutes. */
    String lease() default "";

    /** How long a duplicate waits for the running call. By default it does not wait; on controllers 30 seconds, if asked to. */
    String waitUpTo() default "";

    /** What the next caller does if an owner disappeared: run again, or answer "unknown" until a person decides. */
    StalePolicy onStale() default StalePolicy.RERUN;

    /** What happens if the caller has an open transaction. */
    TransactionMode transaction() default TransactionMode.REFUSE;
}
