// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.demo;

import dev.semel.server.config.Setting;
import dev.semel.server.config.Settings;
import dev.semel.server.config.SettingsReader;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** The settings of the demo's server. The environment does not change them. */
public final class DemoSettings {
    /** Not secret: the demo answers on the loopback address only, and its data is deleted. */
    static final String WEBHOOK_SECRET = "semel-demo-webhook-secret";

    private static final String FILE = """
            server: {host: 127.0.0.1}
            drain: {seconds: 2}
            webhooks:
              whatsapp: {secrets: ["%1$s"], sink: inbox}
              stripe: {secrets: ["%1$s"], sink: {forward: "%2$s/hooks/stripe", timeout_seconds: 5}}
            calls: {sites: {default: {secret: "%1$s", signing: required}}}
            api:
              routes:
                - {path: "/shop/**", methods: [POST], target: "%2$s", key: required, ttl_hours: 24}
            """;

    private DemoSettings() {}

    /**
     * The settings of a server with its data in this folder.
     *
     * @param port 0 picks a free one
     * @param service the target of the proxy and of forwarded webhooks
     */
    public static Settings of(DemoFolder folder, int port, FlakyService service) {
        Map<Setting, String> options = new EnumMap<>(Setting.class);
        options.put(Setting.PORT, Integer.toString(port));
        options.put(Setting.DATA_DIR, folder.path().resolve("data").toString());
        return SettingsReader.read(
                options,
                Optional.of(folder.write("semel.yml", FILE.formatted(WEBHOOK_SECRET, service.url()))),
                Map.of());
    }
}
