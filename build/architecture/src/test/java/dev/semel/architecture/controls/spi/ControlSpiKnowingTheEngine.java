// SPDX-License-Identifier: Apache-2.0
package dev.semel.architecture.controls.spi;

import dev.semel.Semel;

/** Breaks a rule on purpose. */
public class ControlSpiKnowingTheEngine {
    void use(Semel semel) {
        semel.close();
    }
}
