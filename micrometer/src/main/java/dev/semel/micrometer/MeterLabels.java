// SPDX-License-Identifier: Apache-2.0
package dev.semel.micrometer;

import io.micrometer.core.instrument.Tags;
import org.jspecify.annotations.Nullable;

/**
 * The labels that events are counted by.
 *
 * @param tenant null if tenants are not counted separately
 */
record MeterLabels(String scope, @Nullable String tenant) {
    Tags tags() {
        return withoutScope().and("scope", scope);
    }

    Tags withoutScope() {
        return tenant == null ? Tags.empty() : Tags.of("tenant", tenant);
    }
}
