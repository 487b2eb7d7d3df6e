// SPDX-License-Identifier: Apache-2.0
package dev.semel.architecture.controls.records;

import dev.semel.Semel;

/** Breaks a rule on purpose. */
public class ControlRecordsKnowingTheEngine {
    void use(Semel semel) {
        semel.close();
    }
}
