// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.boot3;

import dev.semel.spring.cases.DynamoCases;

class Boot3DynamoTest extends DynamoCases {}
