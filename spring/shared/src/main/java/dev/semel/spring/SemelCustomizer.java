// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import dev.semel.SemelBuilder;

/** A bean that changes the engine before it is built, for settings that have no property. */
@FunctionalInterface
public interface SemelCustomizer {
    void customize(SemelBuilder builder);
}
