// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

/**
 * A setting that has a variable in the environment, a key in the settings file, and usually an option.
 *
 * <p>To add a setting: if only the settings file may set it, read its key in the record of its section, such as {@link
 * LimitSettings}, and print it in {@link SettingsPrinter}. If a variable or an option may set it too, also add a
 * constant here and read it with {@link SettingSources#find}. An option needs a field in {@code ServeCommand} as well.
 */
public enum Setting {
    PORT("--port", "SEMEL_PORT", "server.port"),
    HOST("--host", "SEMEL_HOST", "server.host"),
    DATA_DIR("--data-dir", "SEMEL_DATA_DIR", "server.data_dir"),
    PRODUCTION("--production", "SEMEL_PRODUCTION", "server.production"),
    MIGRATE("--no-migrate", "SEMEL_MIGRATE", "server.migrate"),
    PRINT_PORT_FILE("--print-port-file", "SEMEL_PRINT_PORT_FILE", "server.print_port_file"),
    DATABASE_URL("--database-url", "SEMEL_DATABASE_URL", "database.url"),
    DATABASE_SCHEMA("--database-schema", "SEMEL_DATABASE_SCHEMA", "database.schema"),
    DATABASE_USER("", "SEMEL_DATABASE_USER", "database.user"),
    DATABASE_PASSWORD("", "SEMEL_DATABASE_PASSWORD", "database.password"),
    REDIS_URL("--redis-url", "SEMEL_REDIS_URL", "redis.url"),
    LOG_FORMAT("--log-format", "SEMEL_LOG_FORMAT", "log.format"),
    SECRET("", "IDEMPOTENCY_SECRET", "secret"),
    PREVIOUS_SECRETS("", "IDEMPOTENCY_PREVIOUS_SECRETS", "previous_secrets"),
    IDEMPOTENCY_TTL("", "IDEMPOTENCY_TTL_HOURS", "ttl.idempotency_hours"),
    WEBHOOK_TTL("", "WEBHOOK_DEDUP_TTL_HOURS", "ttl.webhook_hours"),
    STEP_TTL("", "STEP_DEDUP_TTL_HOURS", "ttl.step_hours");

    /** The variable with the path of the settings file. */
    public static final String CONFIG_VARIABLE = "SEMEL_CONFIG";

    private final String option;
    private final String variable;
    private final String key;

    Setting(String option, String variable, String key) {
        this.option = option;
        this.variable = variable;
        this.key = key;
    }

    /** Returns the option; empty for settings that must not appear in a process list. */
    public String option() {
        return option;
    }

    /** Returns the environment variable. */
    public String variable() {
        return variable;
    }

    /** Returns the key in the settings file. */
    public String key() {
        return key;
    }
}
