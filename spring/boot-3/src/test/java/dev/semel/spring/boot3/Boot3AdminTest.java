// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.boot3;

import dev.semel.spring.cases.AdminCases;

class Boot3AdminTest extends AdminCases {}
