// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

/**
 * The settings of {@code GET /metrics}.
 *
 * @param tenant whether claims are counted for each tenant, with the label {@code tenant}
 */
public record MetricsSettings(boolean tenant) {
    static MetricsSettings read(SettingsSection section) {
        MetricsSettings metrics = new MetricsSettings(
                section.value("tenant").map(SettingValue::flag).orElse(false));
        section.done();
        return metrics;
    }
}
