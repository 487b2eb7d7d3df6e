// SPDX-License-Identifier: Apache-2.0
package dev.semel.architecture.controls.messaging;

import dev.semel.memory.MemoryClaimStore;

/** Breaks a rule on purpose. */
public class ControlMessagingKnowingAStore {
    void use(MemoryClaimStore store) {
        store.advance();
    }
}
