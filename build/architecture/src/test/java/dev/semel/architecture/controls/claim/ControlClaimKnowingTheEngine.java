// SPDX-License-Identifier: Apache-2.0
package dev.semel.architecture.controls.claim;

import dev.semel.Semel;

/** Breaks a rule on purpose. */
public class ControlClaimKnowingTheEngine {
    void use(Semel semel) {
        semel.close();
    }
}
