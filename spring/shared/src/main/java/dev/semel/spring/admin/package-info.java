// SPDX-License-Identifier: Apache-2.0
/** The admin API in a Spring Boot application: keys, decisions, statistics and alerts. */
@NullMarked
package dev.semel.spring.admin;

import org.jspecify.annotations.NullMarked;
