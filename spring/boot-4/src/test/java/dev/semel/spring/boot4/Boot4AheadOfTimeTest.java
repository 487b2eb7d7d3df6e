// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.boot4;

import dev.semel.spring.cases.AheadOfTimeCases;

class Boot4AheadOfTimeTest extends AheadOfTimeCases {}
