// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import dev.semel.webhooks.InFlight;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

/** Prints the effective settings as YAML with the names of the settings file, without secrets. */
public final class SettingsPrinter {
    private static final Set<String> OPEN = Set.of(
            "webhook_id",
            "public_keys",
            "tolerance_seconds",
            "future_tolerance_seconds",
            "allowed_origins",
            "key",
            "items",
            "fallback",
            "ttl_seconds",
            "answer_within_seconds");

    private SettingsPrinter() {}

    public static String print(Settings settings) {
        return print(settings, tenant -> true);
    }

    /**
     * Prints what users of some tenants may see. Tokens, sites, webhooks and routes of others are left out.
     *
     * @param known whether a tenant may be named
     */
    public static String print(Settings settings, Predicate<String> known) {
        DumperOptions options = new DumperOptions();
        options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
        // The output must be readable as a settings file, which does not allow YAML aliases.
        options.setDereferenceAliases(true);
        return new Yaml(options).dump(all(settings, known));
    }

    private static Map<String, Object> all(Settings settings, Predicate<String> known) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("mode", SettingValue.nameOf(settings.mode()));
        all.put("server", server(settings.server()));
        Map<String, Object> drain = new LinkedHashMap<>();
        drain.put("delay_seconds", settings.server().drainDelay().toSeconds());
        drain.put("seconds", settings.server().drain().toSeconds());
        all.put("drain", drain);
        all.put("log", Map.of("format", SettingValue.nameOf(settings.logFormat())));
        Map<String, Object> database = new LinkedHashMap<>();
        database.put("url", settings.database().shownUrl());
        settings.database().schema().ifPresent(schema -> database.put("schema", schema));
        settings.database().user().ifPresent(user -> database.put("user", user));
        settings.database().password().ifPresent(password -> database.put("password", password.toString()));
        if (!settings.database().isSqlite() && settings.database().dynamo().isEmpty()) {
            database.put("pool_size", settings.database().poolSize());
        }
        all.put("database", database);
        settings.redis().ifPresent(url -> all.put("redis", Map.of("url", shown(url))));
        all.put("secret", settings.secret().map(SecretText::toString).orElse("<kept in the data folder>"));
        all.put(
                "previous_secrets",
                settings.previousSecrets().stream().map(SecretText::toString).toList());
        all.put(
                "tokens",
                settings.tokens().stream()
                        .filter(token -> token.tenants().stream().allMatch(known))
                        .map(SettingsPrinter::token)
                        .toList());
        Map<String, Object> ttl = new LinkedHashMap<>();
        ttl.put("idempotency_hours", settings.ttl().idempotency().toHours());
        settings.ttl().webhook().ifPresent(value -> ttl.put("webhook_hours", value.toHours()));
        ttl.put("step_hours", settings.ttl().step().toHours());
        all.put("ttl", ttl);
        all.put("limits", limits(settings.limits()));
        all.put(
                "ledger",
                Map.of("on_mismatch", SettingValue.nameOf(settings.ledger().onMismatch())));
        all.put("calls", calls(settings.calls(), known));
        all.put("alerts", alerts(settings.alerts()));
        all.put("metrics", Map.of("tenant", settings.metrics().tenant()));
        settings.tracing().ifPresent(tracing -> all.put("tracing", tracing(tracing)));
        all.put("cleanup", cleanup(settings.cleanup()));
        all.put("webhooks", webhooks(settings.webhooks(), known));
        all.put(
                "api",
                Map.of(
                        "routes",
                        settings.routes().stream()
                                .map(RoutePrinter::print)
                                .filter(route -> !(route.get("tenant") instanceof String tenant) || known.test(tenant))
                                .toList()));
        return all;
    }

    private static Map<String, Object> server(ServerSettings server) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("host", server.host());
        shown.put("port", server.port());
        shown.put("data_dir", server.dataDir().toString());
        shown.put("production", server.production());
        shown.put("migrate", server.migrate());
        server.printPortFile().ifPresent(file -> shown.put("print_port_file", file.toString()));
        shown.put(
                "trusted_proxies",
                server.trustedProxies().stream().map(AddressRange::toString).toList());
        server.tls()
                .ifPresent(tls -> shown.put(
                        "tls",
                        Map.of(
                                "certificate",
                                tls.certificate().toString(),
                                "key",
                                tls.key().toString())));
        return shown;
    }

    private static Map<String, Object> alerts(AlertSettings alerts) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("window_seconds", alerts.window().toSeconds());
        shown.put("minimum_events", alerts.minimum());
        shown.put("off", alerts.off());
        alerts.webhook().ifPresent(webhook -> {
            Map<String, Object> to = new LinkedHashMap<>();
            to.put("url", shown(webhook.url()));
            to.put("secret", webhook.secret().toString());
            shown.put("webhook", to);
        });
        return shown;
    }

    private static Map<String, Object> tracing(TracingSettings tracing) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("endpoint", shown(tracing.endpoint()));
        shown.put("service_name", tracing.serviceName());
        shown.put("sample_ratio", tracing.sampleRatio());
        return shown;
    }

    private static Map<String, Object> cleanup(CleanupSettings cleanup) {
        Map<String, Object> shown = new LinkedHashMap<>();
        cleanup.at()
                .ifPresentOrElse(
                        time -> {
                            shown.put("at", time.toString());
                            shown.put("time_zone", cleanup.zone().getId());
                        },
                        () -> shown.put("every_minutes", cleanup.every().toMinutes()));
        shown.put("history_days", cleanup.history().toDays());
        cleanup.decisions().ifPresent(age -> shown.put("decisions_days", age.toDays()));
        shown.put("inbox_days", cleanup.inbox().toDays());
        cleanup.calls().ifPresent(age -> shown.put("calls_days", age.toDays()));
        cleanup.ledgerKeys().ifPresent(age -> shown.put("ledger_keys_days", age.toDays()));
        return shown;
    }

    private static Map<String, Object> token(ApiToken token) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("sha256", "<hidden>");
        if (token.isChoosing()) {
            shown.put("tenants", token.tenants());
        } else {
            shown.put("tenant", token.tenants().get(0));
        }
        shown.put("actor", token.actor());
        shown.put("role", SettingValue.nameOf(token.role()));
        return shown;
    }

    private static Map<String, Object> limits(LimitSettings limits) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("body_bytes", limits.bodyBytes());
        shown.put("memory_bytes", limits.memoryBytes());
        shown.put("address_bytes", limits.addressBytes());
        shown.put("header_bytes", limits.headerBytes());
        shown.put("header_lines", limits.headerLines());
        shown.put("uri_bytes", limits.uriBytes());
        shown.put("headers_seconds", limits.headersWithin().toSeconds());
        shown.put("body_seconds", limits.bodyWithin().toSeconds());
        shown.put("idle_seconds", limits.idle().toSeconds());
        shown.put("connections", limits.connections());
        shown.put("connections_per_address", limits.connectionsPerAddress());
        shown.put("new_keys_per_second", limits.newKeysPerSecond());
        shown.put("new_keys_at_once", limits.newKeysAtOnce());
        shown.put("new_bytes_per_second", limits.newBytesPerSecond());
        shown.put("new_bytes_at_once", limits.newBytesAtOnce());
        shown.put("ttl_hours", limits.ttl().toHours());
        return shown;
    }

    private static Map<String, Object> calls(CallSettings calls, Predicate<String> known) {
        Map<String, Object> sites = new LinkedHashMap<>();
        calls.sites().forEach((name, site) -> {
            if (!known.test(name)) {
                return;
            }
            Map<String, Object> shown = new LinkedHashMap<>();
            site.secret().ifPresent(secret -> shown.put("secret", secret.toString()));
            shown.put("signing", SettingValue.nameOf(site.signing()));
            sites.put(name, shown);
        });
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("sites", sites);
        shown.put("write_signature_hash", calls.writeSignatureHash());
        shown.put("tolerance_seconds", calls.tolerance().toSeconds());
        return shown;
    }

    private static Map<String, Object> webhooks(Map<String, WebhookSettings> webhooks, Predicate<String> known) {
        Map<String, Object> all = new LinkedHashMap<>();
        new TreeMap<>(webhooks).forEach((name, webhook) -> {
            List<String> tenants = webhook.tenants().stream().filter(known).toList();
            if (tenants.isEmpty() && !webhook.tenants().isEmpty()) {
                return;
            }
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("type", webhook.type());
            new TreeMap<>(webhook.options()).forEach((option, values) -> put(shown, option, values));
            if (!tenants.isEmpty()) {
                shown.put("tenants", tenants);
            }
            webhook.urlSecret().ifPresent(secret -> shown.put("url_secret", secret.toString()));
            shown.put("sink", sink(webhook.sink()));
            webhook.ttl().ifPresent(ttl -> shown.put("ttl_hours", ttl.toHours()));
            shown.put("in_flight", webhook.inFlight() == InFlight.WAIT ? "wait" : "ack");
            shown.put("lease_seconds", webhook.lease().toSeconds());
            all.put(name, shown);
        });
        return all;
    }

    /** Adds an option under its name in the file, where a dot separates sections. */
    private static void put(Map<String, Object> shown, String option, List<SecretText> values) {
        int point = option.indexOf('.');
        if (point >= 0) {
            Map<String, Object> section = new LinkedHashMap<>();
            if (shown.get(option.substring(0, point)) instanceof Map<?, ?> before) {
                before.forEach((key, value) -> section.put((String) key, value));
            }
            shown.put(option.substring(0, point), section);
            section.put(option.substring(point + 1), shown(option, values));
        } else {
            shown.put(option, shown(option, values));
        }
    }

    private static Object shown(String option, List<SecretText> values) {
        List<String> texts = values.stream()
                .map(value -> isOpen(option) ? value.reveal() : value.toString())
                .toList();
        return WebhookOptions.isList(option) ? texts : texts.get(0);
    }

    /** Returns whether the value may be shown. Options that are not known to be harmless are hidden. */
    private static boolean isOpen(String option) {
        return option.startsWith("signature.") || option.startsWith("payment.") || OPEN.contains(option);
    }

    private static Object sink(WebhookSettings.SinkSettings sink) {
        if (sink.forward().isEmpty()) {
            return "inbox";
        }
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("forward", shown(sink.forward().get()));
        shown.put("timeout_seconds", sink.timeout().toSeconds());
        return shown;
    }

    /** Returns the URL without user information and query, which may contain a password. */
    static String shown(URI url) {
        String port = url.getPort() < 0 ? "" : ":" + url.getPort();
        String user = url.getRawUserInfo() == null ? "" : "<hidden>@";
        return url.getScheme() + "://" + user + url.getHost() + port
                + Optional.ofNullable(url.getRawPath()).orElse("");
    }
}
