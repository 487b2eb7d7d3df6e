// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * The settings of tracing, which is off without them.
 *
 * @param endpoint the collector, which speaks OTLP over HTTP
 * @param serviceName the name of this service in its traces
 * @param sampleRatio the share of the traces begun here that is exported, from 0 to 1
 */
public record TracingSettings(URI endpoint, String serviceName, double sampleRatio) {
    private static final int LONGEST_NAME = 255;

    static Optional<TracingSettings> read(SettingsSection root) {
        SettingsSection section = root.section("tracing");
        if (!root.isSection("tracing")) {
            return Optional.empty();
        }
        TracingSettings tracing = new TracingSettings(
                section.value("endpoint")
                        .map(TracingSettings::endpoint)
                        .orElseThrow(() -> new ConfigException(section.at("endpoint")
                                + " is required: the URL of a collector, such as http://127.0.0.1:4318")),
                section.value("service_name").map(TracingSettings::name).orElse("semel"),
                section.value("sample_ratio").map(TracingSettings::ratio).orElse(1.0));
        section.done();
        return Optional.of(tracing);
    }

    private static URI endpoint(SettingValue value) {
        URI url = value.url(List.of("http", "https"));
        if (url.getRawUserInfo() != null || url.getRawQuery() != null || url.getRawFragment() != null) {
            throw value.wrong("must be a URL without user, query and fragment, such as http://127.0.0.1:4318");
        }
        if (url.getPort() == 0 || url.getPort() > 65_535) {
            throw value.wrong("must have a port from 1 to 65535");
        }
        return url;
    }

    private static String name(SettingValue value) {
        String name = value.required();
        if (name.length() > LONGEST_NAME || name.chars().anyMatch(Character::isISOControl)) {
            throw value.wrong("must have 1 to %d characters and no control characters".formatted(LONGEST_NAME));
        }
        return name;
    }

    private static double ratio(SettingValue value) {
        try {
            double ratio = Double.parseDouble(value.text());
            if (ratio >= 0 && ratio <= 1) {
                return ratio;
            }
        } catch (NumberFormatException e) {
            // Fall through: the message below says what is expected.
        }
        throw value.wrong("must be a number from 0 to 1, such as 0.1");
    }
}
