// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

/** A setting with a name of its own in the environment, in the settings file and mostly on the command line. */
public enum Setting {
    PORT("--port", "SEMEL_PORT", "server.port"),
    HOST("--host", "SEMEL_HOST", "server.host"),
    DATA_DIR("--data-dir", "SEMEL_DATA_DIR", "server.data_dir"),
    PRODUCTION("--production", "SEMEL_PRODUCTION", "server.production"),
    PRINT_PORT_FILE("--print-port-file", "SEMEL_PRINT_PORT_FILE", "server.print_port_file"),
    DATABASE_URL("--database-url", "SEMEL_DATABASE_URL", "database.url"),
    DATABASE_USER("", "SEMEL_DATABASE_USER", "database.user"),
    DATABASE_PASSWORD("", "SEMEL_DATABASE_PASSWORD", "database.password"),
    REDIS_URL("--redis-url", "SEMEL_REDIS_URL", "redis.url"),
    SECRET("", "IDEMPOTENCY_SECRET", "secret"),
    PREVIOUS_SECRETS("", "IDEMPOTENCY_PREVIOUS_SECRETS", "previous_secrets"),
    IDEMPOTENCY_TTL("", "IDEMPOTENCY_TTL_HOURS", "ttl.idempotency_hours"),
    WEBHOOK_TTL("", "WEBHOOK_DEDUP_TTL_HOURS", "ttl.webhook_hours"),
    STEP_TTL("", "STEP_DEDUP_TTL_HOURS", "ttl.step_hours");

    /** The variable that names the settings file. */
    public static final String CONFIG_VARIABLE = "SEMEL_CONFIG";

    private final String option;
    private final String variable;
    private final String key;

    Setting(String option, String variable, String key) {
        this.option = option;
        this.variable = variable;
        this.key = key;
    }

    /** On the command line; empty for what must not be seen in a list of processes. */
    public String option() {
        return option;
    }

    /** In the environment. */
    public String variable() {
        return variable;
    }

    /** In the settings file. */
    public String key() {
        return key;
    }
}
