// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import dev.semel.webhooks.WebhookGate;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads all settings. Options override the environment, which overrides the settings file, which overrides defaults.
 *
 * <p>Each section of the file is a record with a {@code read} method. {@link Setting} describes how to add a setting.
 */
public final class SettingsReader {
    static final int MIN_SECRET_BYTES = 32;
    private static final Path DEFAULT_FILE = Path.of("semel.yml");
    private static final int MAX_TOKENS = 1_000;

    /** Every claim is looked up with every active secret; a claim by inputs with every pair of them. */
    private static final int MAX_PREVIOUS_SECRETS = 3;

    private SettingsReader() {}

    /**
     * Reads and validates all settings.
     *
     * @param options the options of the command line
     * @param config the path of the settings file; by default {@code SEMEL_CONFIG}, or {@code semel.yml} in the working
     *     directory if it exists
     * @throws ConfigException if a setting is invalid
     */
    public static Settings read(Map<Setting, String> options, Optional<Path> config, Map<String, String> environment) {
        Settings settings = readForTools(options, config, environment);
        ProductionRules.check(settings);
        DynamoRules.check(settings);
        settings.server().tls().ifPresent(TlsFiles::requireReadable);
        return settings;
    }

    /**
     * As {@link #read}, for commands that do not serve requests: production mode requires nothing more, so that a migration
     * needs no tokens and no secret.
     *
     * @throws ConfigException if a setting is invalid
     */
    public static Settings readForTools(
            Map<Setting, String> options, Optional<Path> config, Map<String, String> environment) {
        Optional<Path> asked = config.or(() -> Optional.ofNullable(environment.get(Setting.CONFIG_VARIABLE))
                .filter(name -> !name.isEmpty())
                .map(Path::of));
        Optional<Path> file = asked.or(() -> Optional.of(DEFAULT_FILE).filter(Files::exists));
        SettingsSection root = file.map(path -> YamlFile.read(path, environment))
                .orElseGet(() -> new SettingsSection(DEFAULT_FILE.toString(), "", Map.of()));
        return read(new SettingSources(options, environment, root), root);
    }

    private static Settings read(SettingSources sources, SettingsSection root) {
        ServerSettings server = ServerSettings.read(sources, root.section("server"), root.section("drain"));
        Optional<SecretText> secret = sources.find(Setting.SECRET, root).map(SettingsReader::secret);
        LimitSettings limits = LimitSettings.read(root.section("limits"));
        TtlSettings ttl = TtlSettings.read(sources, root.section("ttl"), limits.ttl());
        Settings settings = new Settings(
                server,
                logFormat(sources, root.section("log")),
                database(sources, root.section("database"), server),
                redis(sources, root.section("redis")),
                secret,
                previousSecrets(sources.findAll(Setting.PREVIOUS_SECRETS, root), secret),
                tokens(root),
                ttl,
                limits,
                LedgerSettings.read(root.section("ledger")),
                CallSettings.read(root.section("calls")),
                AlertSettings.read(root.section("alerts")),
                MetricsSettings.read(root.section("metrics")),
                TracingSettings.read(root),
                CleanupSettings.read(root.section("cleanup")),
                WebhookSettings.read(root.section("webhooks")),
                ApiRoutes.read(root.section("api"), ttl.idempotency(), limits.ttl()));
        root.done();
        checkTtls(settings, root);
        return settings;
    }

    private static void checkTtls(Settings settings, SettingsSection root) {
        Duration max = settings.limits().ttl();
        settings.webhooks().forEach((name, webhook) -> {
            String where = root.at("webhooks." + name + ".");
            webhook.ttl().ifPresent(ttl -> TtlSettings.requireWithin(where + "ttl_hours", ttl, max));
            webhook.options()
                    .getOrDefault("ttl_seconds", List.of())
                    .forEach(ttl -> TtlSettings.requireWithin(
                            where + "ttl_seconds", Duration.ofSeconds(Long.parseLong(ttl.reveal())), max));
        });
    }

    private static LogFormat logFormat(SettingSources sources, SettingsSection section) {
        LogFormat format = sources.find(Setting.LOG_FORMAT, section)
                .map(value -> value.oneOf(LogFormat.class))
                .orElse(LogFormat.TEXT);
        section.done();
        return format;
    }

    private static DatabaseSettings database(SettingSources sources, SettingsSection section, ServerSettings server) {
        DatabaseSettings database = new DatabaseSettings(
                sources.find(Setting.DATABASE_URL, section)
                        .map(SettingsReader::databaseUrl)
                        .orElseGet(() -> "jdbc:sqlite:" + server.dataDir().resolve("semel.db")),
                sources.find(Setting.DATABASE_USER, section).map(SettingValue::required),
                sources.find(Setting.DATABASE_PASSWORD, section).map(value -> new SecretText(value.text())),
                sources.find(Setting.DATABASE_SCHEMA, section).map(SettingValue::required),
                section.value("pool_size").map(value -> value.whole(2, 1_000)).orElse(12));
        section.done();
        if (database.dynamo().isPresent()) {
            section.value("pool_size").ifPresent(value -> {
                throw value.wrong("is for SQL databases: DynamoDB has no connection pool, so remove it");
            });
        }
        return database;
    }

    private static String databaseUrl(SettingValue value) {
        List<String> known = List.of("jdbc:postgresql:", "jdbc:mariadb:", "jdbc:mysql:", "jdbc:sqlite:");
        if (DynamoUrl.isMeantBy(value.text())) {
            return value.text();
        }
        if (known.stream()
                .noneMatch(scheme ->
                        value.text().startsWith(scheme) && value.text().length() > scheme.length())) {
            throw value.wrong("must be a JDBC URL that starts with jdbc:postgresql:, jdbc:mariadb:, jdbc:mysql: or"
                    + " jdbc:sqlite:, such as jdbc:postgresql://127.0.0.1:5432/semel, or a table in DynamoDB, such as"
                    + " dynamodb://eu-central-1/semel_claims");
        }
        return value.text();
    }

    private static Optional<URI> redis(SettingSources sources, SettingsSection section) {
        Optional<URI> url =
                sources.find(Setting.REDIS_URL, section).map(value -> value.url(List.of("redis", "rediss")));
        section.done();
        return url;
    }

    private static SecretText secret(SettingValue value) {
        int bytes = value.text().getBytes(StandardCharsets.UTF_8).length;
        if (bytes < MIN_SECRET_BYTES) {
            throw value.wrong("must have at least %d bytes, but has %d: create one with `openssl rand -hex 32`"
                    .formatted(MIN_SECRET_BYTES, bytes));
        }
        return new SecretText(value.text());
    }

    private static List<SecretText> previousSecrets(List<SettingValue> values, Optional<SecretText> current) {
        if (values.size() > MAX_PREVIOUS_SECRETS) {
            throw values.get(MAX_PREVIOUS_SECRETS)
                    .wrong("exceeds the maximum of %d previous secrets".formatted(MAX_PREVIOUS_SECRETS));
        }
        Set<String> known = new HashSet<>();
        current.ifPresent(hidden -> known.add(hidden.reveal()));
        List<SecretText> all = new ArrayList<>();
        for (SettingValue value : values) {
            SecretText previous = secret(value);
            if (!known.add(previous.reveal())) {
                throw value.wrong("is a duplicate of the current or another previous secret: list each secret once");
            }
            all.add(previous);
        }
        return List.copyOf(all);
    }

    private static List<ApiToken> tokens(SettingsSection root) {
        Set<String> digests = new HashSet<>();
        List<SettingsSection> sections = root.sections("tokens");
        if (sections.size() > MAX_TOKENS) {
            throw new ConfigException(root.at("tokens") + " has more than " + MAX_TOKENS + " entries");
        }
        return sections.stream().map(section -> token(section, digests)).toList();
    }

    private static ApiToken token(SettingsSection section, Set<String> digests) {
        String digest =
                section.value("sha256").map(SettingValue::text).orElse("").toLowerCase(Locale.ROOT);
        if (!digest.matches("[0-9a-f]{64}")) {
            throw new ConfigException(section.at("sha256")
                    + " must be the SHA-256 of the token in 64 hexadecimal digits: printf %s \"$TOKEN\" | sha256sum");
        }
        if (!digests.add(digest)) {
            throw new ConfigException(section.at("sha256") + " is a duplicate: every token has one identity");
        }
        List<String> several = tenants(section);
        ApiToken token = new ApiToken(
                HexFormat.of().parseHex(digest),
                several.isEmpty() ? List.of(tenant(section)) : several,
                !several.isEmpty(),
                name(section, "actor"),
                section.value("role")
                        .map(value -> value.oneOf(Role.class))
                        .orElseThrow(() -> new ConfigException(
                                section.at("role") + " is required and must be client, viewer or operator")));
        section.done();
        return token;
    }

    /** Reads the tenants of a token that names one with each request. */
    private static List<String> tenants(SettingsSection section) {
        List<SettingValue> values = section.valuesOf("tenants");
        if (!values.isEmpty() && section.value("tenant").isPresent()) {
            throw new ConfigException(
                    section.at("tenants") + " and tenant exclude each other: a token has one of them");
        }
        for (SettingValue value : values) {
            String name = value.required();
            if (name.equals(WebhookGate.RESERVED_TENANT)) {
                throw value.wrong("is reserved: choose another name");
            }
            if (name.length() > 255 || name.chars().anyMatch(Character::isISOControl)) {
                throw value.wrong("must have 1 to 255 characters and no control characters");
            }
            if (name.equals(ApiToken.ALL) && values.size() > 1) {
                throw value.wrong("stands for all tenants: list it alone");
            }
        }
        return values.stream().map(SettingValue::text).distinct().toList();
    }

    private static String tenant(SettingsSection section) {
        String tenant = name(section, "tenant");
        if (tenant.equals(WebhookGate.RESERVED_TENANT)) {
            throw new ConfigException(section.at("tenant") + " is reserved: choose another name");
        }
        if (tenant.equals(ApiToken.ALL)) {
            throw new ConfigException(
                    section.at("tenant") + " must be one tenant: write tenants: [\"*\"] for all of them");
        }
        return tenant;
    }

    private static String name(SettingsSection section, String key) {
        String text = section.value(key)
                .map(SettingValue::required)
                .orElseThrow(
                        () -> new ConfigException(section.at(key) + " is required: a token has a tenant and an actor"));
        if (text.length() > 255 || text.chars().anyMatch(Character::isISOControl)) {
            throw new ConfigException(section.at(key) + " must have 1 to 255 characters and no control characters");
        }
        return text;
    }
}
