// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.boot4;

import dev.semel.spring.cases.LiquibaseCases;

/** With Liquibase 4: version 5 has another licence. */
class Boot4LiquibaseTest extends LiquibaseCases {}
