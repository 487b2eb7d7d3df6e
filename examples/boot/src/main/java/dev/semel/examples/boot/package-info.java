// SPDX-License-Identifier: Apache-2.0
/** An order service with Spring Boot. */
@NullMarked
package dev.semel.examples.boot;

import org.jspecify.annotations.NullMarked;
