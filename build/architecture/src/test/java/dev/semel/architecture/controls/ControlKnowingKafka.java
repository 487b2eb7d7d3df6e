// SPDX-License-Identifier: Apache-2.0
package dev.semel.architecture.controls;

import dev.semel.kafka.RecordKeys;

/** Breaks a rule on purpose. */
public class ControlKnowingKafka {
    Object use() {
        return RecordKeys.position();
    }
}
