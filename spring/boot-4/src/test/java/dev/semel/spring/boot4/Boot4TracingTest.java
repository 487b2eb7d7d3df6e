// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.boot4;

import dev.semel.spring.cases.TracingCases;

class Boot4TracingTest extends TracingCases {}
