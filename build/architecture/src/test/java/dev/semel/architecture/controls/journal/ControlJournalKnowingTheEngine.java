// SPDX-License-Identifier: Apache-2.0
package dev.semel.architecture.controls.journal;

import dev.semel.Semel;

/** Breaks a rule on purpose. */
public class ControlJournalKnowingTheEngine {
    void use(Semel semel) {
        semel.close();
    }
}
