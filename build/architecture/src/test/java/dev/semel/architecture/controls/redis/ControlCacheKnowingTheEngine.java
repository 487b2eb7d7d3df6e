// SPDX-License-Identifier: Apache-2.0
package dev.semel.architecture.controls.redis;

import dev.semel.Semel;

/** Breaks a rule on purpose. */
public class ControlCacheKnowingTheEngine {
    void use(Semel semel) {
        semel.close();
    }
}
