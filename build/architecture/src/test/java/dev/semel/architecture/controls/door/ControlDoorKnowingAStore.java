// SPDX-License-Identifier: Apache-2.0
package dev.semel.architecture.controls.door;

import dev.semel.memory.MemoryClaimStore;

/** Breaks a rule on purpose. */
public class ControlDoorKnowingAStore {
    void use(MemoryClaimStore store) {
        store.advance();
    }
}
