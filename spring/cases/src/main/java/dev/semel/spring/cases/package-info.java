// SPDX-License-Identifier: Apache-2.0
/** The application and the tests that both Spring Boot starters run. */
@NullMarked
package dev.semel.spring.cases;

import org.jspecify.annotations.NullMarked;
