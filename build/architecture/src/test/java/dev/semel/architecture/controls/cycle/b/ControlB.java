// SPDX-License-Identifier: Apache-2.0
package dev.semel.architecture.controls.cycle.b;

import dev.semel.architecture.controls.cycle.a.ControlA;

/** Breaks a rule on purpose. */
public class ControlB {
    ControlA other() {
        return new ControlA();
    }
}
