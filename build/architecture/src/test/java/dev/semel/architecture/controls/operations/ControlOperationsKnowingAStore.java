// SPDX-License-Identifier: Apache-2.0
package dev.semel.architecture.controls.operations;

import dev.semel.memory.MemoryClaimStore;

/** Breaks a rule on purpose. */
public class ControlOperationsKnowingAStore {
    void use(MemoryClaimStore store) {
        store.advance();
    }
}
