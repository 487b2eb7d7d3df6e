// SPDX-License-Identifier: Apache-2.0
/**
 * Semel in Spring applications: {@link dev.semel.spring.Idempotent}, Spring's transactions, and the auto-configuration that
 * the starters for Spring Boot 3 and 4 share.
 */
@NullMarked
package dev.semel.spring;

import org.jspecify.annotations.NullMarked;
