// SPDX-License-Identifier: Apache-2.0
package dev.semel.architecture.controls.payload;

import dev.semel.Semel;

/** Breaks a rule on purpose. */
public class ControlPayloadKnowingTheEngine {
    void use(Semel semel) {
        semel.close();
    }
}
