// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.boot4;

import dev.semel.spring.cases.DynamoCases;

class Boot4DynamoTest extends DynamoCases {}
