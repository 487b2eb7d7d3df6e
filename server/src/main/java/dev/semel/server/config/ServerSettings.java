// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The settings for listening, starting and stopping.
 *
 * @param port 0 picks a free port
 * @param migrate whether the server creates and updates its tables when it starts
 * @param drainDelay how long a stopping server still serves while its readiness answers 503, so that balancers notice
 * @param drain time limit for running requests when the server stops, after the delay
 * @param trustedProxies the addresses whose X-Forwarded-For header is trusted
 * @param tls the certificate and its key; empty to serve without TLS
 */
public record ServerSettings(
        String host,
        int port,
        Path dataDir,
        boolean production,
        boolean migrate,
        Optional<Path> printPortFile,
        Duration drainDelay,
        Duration drain,
        List<AddressRange> trustedProxies,
        Optional<TlsFiles> tls) {
    private static final Pattern LOOPBACK = Pattern.compile("127\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})");

    static ServerSettings read(SettingSources sources, SettingsSection section, SettingsSection drain) {
        ServerSettings server = new ServerSettings(
                sources.find(Setting.HOST, section).map(SettingValue::required).orElse("127.0.0.1"),
                sources.find(Setting.PORT, section)
                        .map(value -> value.whole(0, 65_535))
                        .orElse(8080),
                Path.of(sources.find(Setting.DATA_DIR, section)
                        .map(SettingValue::required)
                        .orElse("data")),
                sources.find(Setting.PRODUCTION, section)
                        .map(SettingValue::flag)
                        .orElse(false),
                sources.find(Setting.MIGRATE, section).map(SettingValue::flag).orElse(true),
                sources.find(Setting.PRINT_PORT_FILE, section).map(value -> Path.of(value.required())),
                drain(drain, "delay_seconds", section).orElse(Duration.ZERO),
                drain(drain, "seconds", section).orElse(Duration.ofSeconds(20)),
                section.valuesOf("trusted_proxies").stream()
                        .map(ServerSettings::range)
                        .toList(),
                TlsFiles.read(section.section("tls")));
        section.done();
        drain.done();
        return server;
    }

    /** Earlier versions had these settings in the section {@code server}. */
    private static Optional<Duration> drain(SettingsSection drain, String key, SettingsSection server) {
        Optional<SettingValue> value = drain.value(key);
        Optional<SettingValue> old = server.value("drain_" + key);
        if (value.isPresent() && old.isPresent()) {
            throw old.get().wrong("is the old name of %s: remove one of them".formatted(drain.pathOf(key)));
        }
        return value.or(() -> old).map(given -> given.seconds(0, 600));
    }

    private static AddressRange range(SettingValue value) {
        return AddressRange.of(value.text())
                .filter(range -> !range.containsAll())
                .orElseThrow(() -> value.wrong("must be the address of a proxy or a range of addresses, such as"
                        + " 10.0.0.0/24, but not all addresses"));
    }

    public ServerMode mode() {
        return production || !isLoopback(host) ? ServerMode.PRODUCTION : ServerMode.DEVELOPMENT;
    }

    /** Returns whether the host is a loopback address or name. Never uses DNS. */
    public static boolean isLoopback(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        return name.equals("127.0.0.1")
                || name.equals("localhost")
                || name.equals("::1")
                || name.equals("[::1]")
                || LOOPBACK.matcher(name).matches();
    }
}
