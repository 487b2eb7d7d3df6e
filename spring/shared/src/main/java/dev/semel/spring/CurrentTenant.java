// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

/**
 * A bean that knows the tenant of the calling thread, for example from the authenticated user. It applies to {@link Idempotent}
 * methods that name no tenant, and to protected routes. Without such a bean, {@code semel.tenant} applies.
 */
@FunctionalInterface
public interface CurrentTenant {
    String tenant();
}
