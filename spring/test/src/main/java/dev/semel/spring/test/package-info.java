// SPDX-License-Identifier: Apache-2.0
/** Tests of Spring Boot applications with {@link dev.semel.test.TestSemel}. */
@NullMarked
package dev.semel.spring.test;

import org.jspecify.annotations.NullMarked;
