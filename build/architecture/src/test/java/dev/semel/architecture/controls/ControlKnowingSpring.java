// SPDX-License-Identifier: Apache-2.0
package dev.semel.architecture.controls;

import dev.semel.spring.kafka.ListenerRun;

/** Breaks a rule on purpose. */
public class ControlKnowingSpring {
    Object use() {
        return ListenerRun.current();
    }
}
