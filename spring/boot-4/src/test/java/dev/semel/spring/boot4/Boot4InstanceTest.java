// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.boot4;

import dev.semel.spring.cases.InstanceCases;

class Boot4InstanceTest extends InstanceCases {}
