// SPDX-License-Identifier: Apache-2.0
package dev.semel.architecture.controls.content;

import dev.semel.Semel;

/** Breaks a rule on purpose. */
public class ControlContentKnowingTheEngine {
    void use(Semel semel) {
        semel.close();
    }
}
