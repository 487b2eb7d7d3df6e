// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.boot3;

import dev.semel.spring.cases.LiquibaseCases;

class Boot3LiquibaseTest extends LiquibaseCases {}
