// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.boot3;

import dev.semel.spring.cases.AheadOfTimeCases;

class Boot3AheadOfTimeTest extends AheadOfTimeCases {}
