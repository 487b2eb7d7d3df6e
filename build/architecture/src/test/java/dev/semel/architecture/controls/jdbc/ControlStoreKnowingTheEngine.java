// SPDX-License-Identifier: Apache-2.0
package dev.semel.architecture.controls.jdbc;

import dev.semel.Semel;

/** Breaks a rule on purpose. */
public class ControlStoreKnowingTheEngine {
    void use(Semel semel) {
        semel.close();
    }
}
