// SPDX-License-Identifier: Apache-2.0
package dev.semel.architecture.controls.cycle.a;

import dev.semel.architecture.controls.cycle.b.ControlB;

/** Breaks a rule on purpose. */
public class ControlA {
    ControlB other() {
        return new ControlB();
    }
}
