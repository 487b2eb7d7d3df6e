// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of call events.
 *
 * @param writeSignatureHash false is the first step of a rollback to a schema without the column
 * @param tolerance maximum age of the timestamp of a signature that is not known yet
 */
public record CallSettings(Map<String, Site> sites, boolean writeSignatureHash, Duration tolerance) {
    /** Whether a site must sign its events. */
    public enum Signing {
        REQUIRED,
        OFF
    }

    /** A site. In development, events of a site without a secret are accepted and marked as unverified. */
    public record Site(Optional<SecretText> secret, Signing signing) {}

    static CallSettings read(SettingsSection section) {
        Map<String, Site> sites = new LinkedHashMap<>();
        section.section("sites").named().forEach((name, site) -> {
            Optional<SecretText> secret = site.value("secret").map(value -> new SecretText(value.required()));
            sites.put(
                    name,
                    new Site(
                            secret,
                            site.value("signing")
                                    .map(value -> value.oneOf(Signing.class))
                                    .orElse(Signing.REQUIRED)));
            site.done();
        });
        CallSettings calls = new CallSettings(
                Map.copyOf(sites),
                section.value("write_signature_hash").map(SettingValue::flag).orElse(true),
                section.value("tolerance_seconds")
                        .map(value -> value.seconds(1, 86_400))
                        .orElse(Duration.ofMinutes(5)));
        section.done();
        return calls;
    }
}
