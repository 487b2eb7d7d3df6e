// SPDX-License-Identifier: Apache-2.0
/** What Spring Boot 4 has in other packages than Spring Boot 3: JSON, health, and the connection details of Redis. */
@NullMarked
package dev.semel.spring.boot4;

import org.jspecify.annotations.NullMarked;
