// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsReaderTest {
    private static final String SECRET = "0123456789abcdef0123456789abcdef";
    private static final String DIGEST = "a".repeat(64);

    @TempDir
    Path folder;

    @Test
    void everythingHasADefault() {
        Settings settings = read("");

        assertThat(settings.mode()).isEqualTo(ServerMode.DEVELOPMENT);
        assertThat(settings.server().host()).isEqualTo("127.0.0.1");
        assertThat(settings.server().port()).isEqualTo(8080);
        assertThat(settings.database().url()).isEqualTo("jdbc:sqlite:data/semel.db");
        assertThat(settings.ttl().idempotency()).isEqualTo(Duration.ofHours(24));
        assertThat(settings.ttl().step()).isEqualTo(Duration.ofHours(24));
        assertThat(settings.ttl().webhook()).isEmpty();
    }

    @Test
    void optionsWinOverTheEnvironmentAndThatOverTheFile() {
        String yaml = "server: {port: 1, host: localhost, data_dir: from-file}";
        Map<String, String> environment = Map.of("SEMEL_PORT", "2", "SEMEL_HOST", "127.0.0.2", "SEMEL_DATA_DIR", "");

        Settings settings = read(yaml, environment, Map.of(Setting.PORT, "3"));

        assertThat(settings.server().port()).isEqualTo(3);
        assertThat(settings.server().host()).isEqualTo("127.0.0.2");
        assertThat(settings.server().dataDir())
                .as("an empty variable counts as unset")
                .isEqualTo(Path.of("from-file"));
    }

    @Test
    void drainHasASectionAndItsOldNames() {
        ServerSettings server = read("drain: {delay_seconds: 2, seconds: 3}").server();
        assertThat(server.drainDelay()).isEqualTo(Duration.ofSeconds(2));
        assertThat(server.drain()).isEqualTo(Duration.ofSeconds(3));
        assertThat(read("server: {drain_delay_seconds: 2, drain_seconds: 3}").server())
                .as("the old names")
                .isEqualTo(server);
        assertThat(read("").server().drainDelay()).isZero();
        assertThat(read("").server().drain()).isEqualTo(Duration.ofSeconds(20));
        assertThat(SettingsPrinter.print(read("server: {drain_delay_seconds: 2}")))
                .contains("drain:\n  delay_seconds: 2\n  seconds: 20\n")
                .doesNotContain("drain_");
        assertThatThrownBy(() -> read("{drain: {delay_seconds: 2}, server: {drain_delay_seconds: 2}}"))
                .hasMessageContaining("server.drain_delay_seconds is the old name of drain.delay_seconds");
        assertThatThrownBy(() -> read("drain: {delay_second: 2}"))
                .hasMessageContaining("did you mean drain.delay_seconds?");
        assertThatThrownBy(() -> read("drain: {seconds: 601}")).hasMessageContaining("drain.seconds");
    }

    @Test
    void environmentVariablesAreRead() {
        Settings settings = read(
                "",
                Map.of(
                        "IDEMPOTENCY_SECRET", SECRET,
                        "IDEMPOTENCY_TTL_HOURS", "1",
                        "WEBHOOK_DEDUP_TTL_HOURS", "2",
                        "STEP_DEDUP_TTL_HOURS", "3"),
                Map.of());

        assertThat(settings.secret().orElseThrow().reveal()).isEqualTo(SECRET);
        assertThat(settings.ttl())
                .isEqualTo(new TtlSettings(Duration.ofHours(1), Optional.of(Duration.ofHours(2)), Duration.ofHours(3)));
    }

    @Test
    void aCompleteFileIsRead() {
        Settings settings = read("""
                server: {host: 127.0.0.1, port: 8080}
                database: {url: "jdbc:postgresql://127.0.0.1:5432/semel", user: semel, password: "${SEMEL_DATABASE_PASSWORD}"}
                redis: {url: "redis://127.0.0.1:6379"}
                tokens:
                  - {sha256: "%s", tenant: acme, actor: billing, role: client}
                webhooks:
                  stripe: {secrets: ["whsec_..."], tolerance_seconds: 300, ttl_hours: 744, sink: inbox}
                  paypal: {webhook_id: "...", sink: {forward: "http://127.0.0.1:9000/hooks/paypal", timeout_seconds: 8}}
                  orders:
                    type: custom
                    secrets: ["..."]
                    signature: {header: X-Signature, algorithm: hmac-sha256, encoding: hex, content: "{timestamp}.{body}", timestamp_header: X-Timestamp}
                    key: ["/event/id", "header:X-Event-Id"]
                    items: "/events"
                calls:
                  sites:
                    site-1: {secret: "...", signing: required}
                    site-2: {signing: off}
                api:
                  routes:
                    - {path: "/orders/**", methods: [POST, PATCH], target: "http://127.0.0.1:9000", key: required, profile: seed, store: sanitised, ttl_hours: 24}
                ledger: {on_mismatch: reject}
                """.formatted(DIGEST), Map.of("SEMEL_DATABASE_PASSWORD", "p$ss"), Map.of());

        assertThat(settings.database().password().orElseThrow().reveal()).isEqualTo("p$ss");
        assertThat(settings.tokens()).hasSize(1);
        assertThat(settings.webhooks()).containsOnlyKeys("stripe", "paypal", "orders");
        assertThat(settings.webhooks().get("paypal").sink().forward()).isPresent();
        assertThat(settings.calls().sites().get("site-2").signing()).isEqualTo(CallSettings.Signing.OFF);
        assertThat(settings.routes()).hasSize(1);
        assertThat(settings.ledger().onMismatch()).isEqualTo(LedgerSettings.MismatchResponse.REJECT);
    }

    /** An invalid setting and the expected part of the message. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            server: {prot: 1}                                | semel.yml: server.prot is unknown: did you mean server.port?
            servre: {port: 1}                                | semel.yml: servre is unknown: did you mean server?
            calls: {sites: {a: {secrets: x}}}                | calls.sites.a.secrets is unknown: did you mean calls.sites.a.secret?
            webhooks: {stripe: {secret: x}}                  | webhooks.stripe.secret is unknown: did you mean webhooks.stripe.secrets?
            api: {routes: [{path: orders, target: "http://a"}]} | api.routes[0].path must start with a slash
            api: {routes: [{path: /a}]}                      | api.routes[0].target is required
            api: {routes: [{path: /a, target: "http://a", methods: [GET]}]} | api.routes[0].methods[0] must be POST, PUT, PATCH or DELETE
            server: {port: 65536}                            | server.port must be a whole number from 0 to 65535
            server: {port: 08x}                              | server.port must be a whole number from 0 to 65535
            server: {port: [1]}                              | server.port must be a single value
            server: 1                                        | semel.yml: server must contain keys and values
            server: {host: ""}                               | server.host must not be empty
            server: {production: perhaps}                    | server.production must be true or false
            database: {url: "jdbc:oracle:x"}                 | database.url must be a JDBC URL that starts with jdbc:postgresql:
            database: {url: "dynamodb://eu-west-1/claims", pool_size: 4}  | database.pool_size is for SQL databases
            {database: {url: "dynamodb://eu-west-1/claims"}, webhooks: {stripe: {}}} | webhooks.stripe records events in the inbox. Set webhooks.stripe.sink
            {database: {url: "dynamodb://eu-west-1/claims"}, calls: {sites: {a: {signing: off}}}} | calls.sites sets up call events. Remove it
            {database: {url: "dynamodb://eu-west-1/claims"}, ledger: {on_mismatch: reject}} | ledger.on_mismatch is about the ledger. Remove it
            {database: {url: "dynamodb://eu-west-1/claims"}, cleanup: {calls_days: 1}} | cleanup.calls_days and cleanup.ledger_keys_days
            database: {password: "${NOBODY_SET_THIS}"}       | database.password uses ${NOBODY_SET_THIS}, which is not set
            redis: {url: "http://a"}                         | redis.url must be a URL such as redis://127.0.0.1
            secret: short                                    | secret must have at least 32 bytes, but has 5
            previous_secrets: 7                              | previous_secrets must be a list
            previous_secrets: [short]                        | previous_secrets[0] must have at least 32 bytes, but has 5
            ttl: {idempotency_hours: 0}                      | ttl.idempotency_hours must be a whole number from 1
            ledger: {on_mismatch: maybe}                     | ledger.on_mismatch must be accept or reject
            calls: {sites: {a: {signing: sometimes}}}        | calls.sites.a.signing must be required or off
            calls: {write_signature_hash: 7}                 | calls.write_signature_hash must be true or false
            ttl: {idempotency_hours: 8785}                   | ttl.idempotency_hours must be at most 8784 hours (limits.ttl_hours)
            ttl: {webhook_hours: 876000}                     | ttl.webhook_hours must be at most 8784 hours
            ttl: {step_hours: 8785}                          | ttl.step_hours must be at most 8784 hours
            {limits: {ttl_hours: 48}, ttl: {step_hours: 49}} | ttl.step_hours must be at most 48 hours
            limits: {memory_bytes: 99999999999999}           | half of the heap: lower it, or raise -Xmx
            limits: {memory_bytes: 64MB}                     | limits.memory_bytes must be a whole number from 16384
            limits: {memory_bytes: 20000, address_bytes: 20001} | limits.address_bytes must be a whole number from 16384 to 20000
            server: {trusted_proxies: [0.0.0.0/0]}           | but not all addresses
            server: {trusted_proxies: ["::/0"]}              | but not all addresses
            limits: {ttl_hours: 23}                          | limits.ttl_hours must be a whole number from 24
            webhooks: {stripe: {ttl_hours: 8785}}            | webhooks.stripe.ttl_hours must be at most 8784 hours
            webhooks: {own: {ttl_seconds: 31622401}}         | webhooks.own.ttl_seconds must be at most 8784 hours
            api: {routes: [{path: /a, methods: [POST], target: "http://a", ttl_hours: 8785}]} | api.routes[0].ttl_hours must be at most 8784 hours
            api: {routes: [{target: "http://a"}]}            | api.routes[0].path is required
            api: {routes: [{path: "/**", target: "http://a"}]} | api.routes[0].path overlaps /v1
            api: {routes: [{path: "/api/**", target: "http://a"}]} | api.routes[0].path overlaps /api/ledger
            api: {routes: [{path: "/{x}", target: "http://a"}]} | api.routes[0].path overlaps /v1
            api: {routes: [{path: /, target: "http://a"}]}   | api.routes[0].path overlaps /,
            api: {routes: [{path: /health/x, target: "http://a"}]} | api.routes[0].path overlaps /health
            api: {routes: [{path: /a, target: "http://a"}, {path: /a, target: "http://b"}]} | api.routes[1].path is never used
            api: {routes: [{path: /a, target: "ftp://a"}]}   | api.routes[0].target must be a URL
            api: {routes: [{path: /a, target: "http://u:p@a"}]} | api.routes[0].target must be a URL without user
            api: {routes: [{path: /a, target: "http://a", key: never}]} | api.routes[0].key must be required or optional or derive or off
            api: {routes: [{path: /a, target: "http://a", profile: stripe}]} | api.routes[0].profile must be accepted or ietf
            api: {routes: [{path: /a, target: "http://a", in_progress_status: 204}]} | api.routes[0].in_progress_status must be 202, or an error
            api: {routes: [{path: /a, target: "http://a", release: [5x]}]} | api.routes[0].release[0] must be a status such as 429
            api: {routes: [{path: /a, target: "http://a", replay_headers: [Set-Cookie]}]} | api.routes[0].replay_headers[0] is never replayed
            api: {routes: [{path: /a, target: "http://a", identity: cookie}]} | api.routes[0].identity must be token, authorization or header
            api: {routes: [{path: /a, target: "http://a", identity: "header:X-User"}]} | api.routes[0].trusted_fronts is required
            api: {routes: [{path: /a, target: "http://a", identity: "header:X-User", trusted_fronts: ["::/0"]}]} | api.routes[0].trusted_fronts[0] must be an address
            api: {routes: [{path: /a, target: "http://a", on_stale: reconcile}]} | api.routes[0].on_stale must be rerun or park
            api: {routes: [{path: /a, target: "http://a", answer_bytes: 8388609}]} | api.routes[0].answer_bytes must be a whole number from 0 to 8388608
            api: {routes: [{path: /a, target: "http://a", ca_file: /nowhere/ca.pem}]} | api.routes[0].ca_file cannot be read
            api: {routes: [{path: /a, target: "http://a", timeout: 5}]} | api.routes[0].timeout is unknown
            api: {routes: [{path: "/a/**", target: "http://a"}, {path: "/a/{id}", target: "http://b"}]} | put the narrower route first
            api: {routes: [{path: /a, target: "http://a:0"}]} | api.routes[0].target must have a port from 1 to 65535
            api: {routes: [{path: /a, target: "http://a:65536"}]} | api.routes[0].target must have a port from 1 to 65535
            api: {routes: [{path: /a, target: "http://a", release: [2xx]}]} | api.routes[0].release[0] must not be a success
            api: {routes: [{path: /a, target: "http://a", release: [201]}]} | api.routes[0].release[0] must not be a success
            api: {routes: [{path: /a, target: "http://a", tenant: x}]} | api.routes[0].tenant requires identity: authorization
            api: {routes: [{path: /a, target: "http://a", identity: token, trusted_fronts: [10.0.0.1]}]} | api.routes[0].trusted_fronts[0] requires identity: header
            api: {routes: [{path: /a, target: "http://a", identity: "header:X", tenant_header: "X Org", trusted_fronts: [10.0.0.1]}]} | api.routes[0].tenant_header must be a header
            api: {routes: [{path: /a, target: "http://a", identity: "header:Host", trusted_fronts: [10.0.0.1]}]} | api.routes[0].identity must be token
            api: {routes: [{path: /a, target: "http://a", replay_headers: [Idempotent-Replayed]}]} | api.routes[0].replay_headers[0] is never replayed
            api: {routes: [{path: /a, target: "http://a", ca_file: /dev/null}]} | api.routes[0].ca_file contains no PEM certificate
            limits: {new_bytes_at_once: 1}                   | limits.new_bytes_at_once must be a whole number from 1024
            limits: {body_bytes: 1}                          | limits.body_bytes must be a whole number from 1024
            tracing: {sample_ratio: 0.5}                     | tracing.endpoint is required
            tracing: "http://127.0.0.1:4318"                 | tracing must contain keys and values
            tracing: {endpoint: "grpc://a"}                  | tracing.endpoint must be a URL such as http://127.0.0.1
            tracing: {endpoint: "http://u:p@a"}              | tracing.endpoint must be a URL without user, query and fragment
            tracing: {endpoint: "http://a:65536"}            | tracing.endpoint must have a port from 1 to 65535
            tracing: {endpoint: "http://a", sample_ratio: 1.1} | tracing.sample_ratio must be a number from 0 to 1
            tracing: {endpoint: "http://a", sample_ratio: NaN} | tracing.sample_ratio must be a number from 0 to 1
            tracing: {endpoint: "http://a", service_name: ""} | tracing.service_name must not be empty
            tracing: {endpoint: "http://a", headers: x}      | tracing.headers is unknown
            tokens: [{sha256: abc}]                          | tokens[0].sha256 must be the SHA-256 of the token
            tokens: x                                        | tokens must be a list
            a: b: c                                          | is not valid YAML, line 1
            a: 1\\na: 2                                      | is not valid YAML
            just text                                        | must contain keys and values
            """)
    void sayWhatIsWrong(String yaml, String message) {
        assertThatThrownBy(() -> read(yaml.replace("\\n", "\n")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }

    @Test
    void tracingIsOffUnlessItIsSet() {
        assertThat(read("").tracing()).isEmpty();
        Settings settings = read("tracing: {endpoint: \"http://127.0.0.1:4318\", sample_ratio: 0.25}");

        assertThat(settings.tracing())
                .contains(new TracingSettings(URI.create("http://127.0.0.1:4318"), "semel", 0.25));
        assertThat(SettingsPrinter.print(settings)).contains("""
                tracing:
                  endpoint: http://127.0.0.1:4318
                  service_name: semel
                  sample_ratio: 0.25
                """);
    }

    @Test
    void requestsMayHoldHalfOfTheHeap() {
        long half = Runtime.getRuntime().maxMemory() / 2;

        assertThat(read("limits: {memory_bytes: %d}".formatted(half)).limits().memoryBytes())
                .isEqualTo(half);
        assertThatThrownBy(() -> read("limits: {memory_bytes: %d}".formatted(half + 1)))
                .hasMessageContaining("limits.memory_bytes must be at most %d, half of the heap".formatted(half));
    }

    @Test
    void aTokenNeedsItsParts() {
        assertThatThrownBy(() -> read("tokens: [{sha256: %s, actor: a, role: client}]".formatted(DIGEST)))
                .hasMessageContaining("tokens[0].tenant is required");
        assertThatThrownBy(() -> read("tokens: [{sha256: %s, tenant: t, actor: a}]".formatted(DIGEST)))
                .hasMessageContaining("tokens[0].role is required");
        assertThatThrownBy(() -> read("tokens: [{sha256: %s, tenant: t, actor: a, role: boss}]".formatted(DIGEST)))
                .hasMessageContaining("tokens[0].role must be client or viewer or operator");
        String one = "{sha256: %s, tenant: t, actor: a, role: client}".formatted(DIGEST);
        assertThatThrownBy(() -> read("tokens: [%s, %s]".formatted(one, one)))
                .hasMessageContaining("tokens[1].sha256 is a duplicate");
    }

    @Test
    void aTokenHasOneTenantOrAListOfThem() {
        String token = "tokens: [{sha256: %s, actor: a, role: client, %s}]";
        ApiToken two = read(token.formatted(DIGEST, "tenants: [north, south]"))
                .tokens()
                .get(0);
        assertThat(two.isChoosing()).isTrue();
        assertThat(two.allows("south") && !two.allows("east")).isTrue();
        assertThat(read(token.formatted(DIGEST, "tenants: [\"*\"]"))
                        .tokens()
                        .get(0)
                        .allows("east"))
                .isTrue();
        assertThatThrownBy(() -> read(token.formatted(DIGEST, "tenant: a, tenants: [b]")))
                .hasMessageContaining("exclude each other");
        assertThatThrownBy(() -> read(token.formatted(DIGEST, "tenant: \"*\"")))
                .hasMessageContaining("tenants: [\"*\"]");
        assertThatThrownBy(() -> read(token.formatted(DIGEST, "tenants: [\"*\", a]")))
                .hasMessageContaining("list it alone");
    }

    @Test
    void aWildcardCountsAsSeveralTenants() {
        String yaml = """
                server: {production: true}
                secret: 0123456789abcdef0123456789abcdef
                tokens: [{sha256: %s, actor: a, role: client, tenants: ["*"]}]
                webhooks: {stripe: {secrets: [whsec_x]%s}}
                """;
        assertThatThrownBy(() -> read(yaml.formatted(DIGEST, "")))
                .hasMessageContaining("webhooks.stripe has no tenants, and the tokens have several");
        assertThat(read(yaml.formatted(DIGEST, ", tenants: [north]")).webhooks())
                .containsKey("stripe");
    }

    @Test
    void tlsNeedsBothFiles() {
        assertThatThrownBy(() -> read("server: {tls: {certificate: \"/\"}}"))
                .hasMessageContaining("tls.key is required");
        assertThatThrownBy(() -> read("server: {tls: {certificate: /none, key: /none}}"))
                .hasMessageContaining("tls.certificate must be a PEM file")
                .hasMessageContaining("/none is not");
        assertThat(readForTools("server: {tls: {certificate: /none, key: /none}}")
                        .server()
                        .tls())
                .as("a command needs no key of the server")
                .isPresent();
        assertThat(read("log: {format: json}").logFormat()).isEqualTo(LogFormat.JSON);
    }

    @Test
    void aMessageNamesTheVariableOrTheOption() {
        assertThatThrownBy(() -> read("", Map.of("SEMEL_PORT", "x"), Map.of()))
                .hasMessageStartingWith("SEMEL_PORT must");
        assertThatThrownBy(() -> read("", Map.of(), Map.of(Setting.PORT, "x"))).hasMessageStartingWith("--port must");
        assertThatThrownBy(() -> read("", Map.of("IDEMPOTENCY_SECRET", "tooshort"), Map.of()))
                .hasMessageStartingWith("IDEMPOTENCY_SECRET must have at least 32 bytes")
                .hasMessageNotContaining("tooshort");
    }

    @Test
    void previousSecretsAreAListInTheFileAndWrittenWithCommasInTheEnvironment() {
        String yaml = "secret: %s\nprevious_secrets: [%s, %s]".formatted(SECRET, "b".repeat(32), "c".repeat(32));

        assertThat(read(yaml).previousSecrets())
                .extracting(SecretText::reveal)
                .containsExactly("b".repeat(32), "c".repeat(32));
        assertThat(read(yaml, previous("d".repeat(32) + ", " + "e".repeat(32)), Map.of())
                        .previousSecrets())
                .extracting(SecretText::reveal)
                .containsExactly("d".repeat(32), "e".repeat(32));
    }

    @Test
    void aPreviousSecretIsLongEnoughAndGivenOnce() {
        String yaml = "secret: " + SECRET;
        String good = "b".repeat(32);

        assertThatThrownBy(() -> read(yaml, previous(good + "," + SECRET), Map.of()))
                .hasMessageStartingWith("IDEMPOTENCY_PREVIOUS_SECRETS[1] is a duplicate of the current")
                .hasMessageNotContaining(SECRET);
        assertThatThrownBy(() -> read(yaml, previous(good + "," + good), Map.of()))
                .hasMessageStartingWith(
                        "IDEMPOTENCY_PREVIOUS_SECRETS[1] is a duplicate of the current or another previous secret");
        assertThatThrownBy(() -> read(yaml, previous(good + ",geheim"), Map.of()))
                .hasMessageStartingWith("IDEMPOTENCY_PREVIOUS_SECRETS[1] must have at least 32 bytes, but has 6")
                .hasMessageNotContaining("geheim");
        assertThatThrownBy(() -> read(yaml, previous(good + ","), Map.of())).hasMessageContaining("but has 0");
        assertThatThrownBy(() -> read(
                        yaml,
                        previous(String.join(",", good, "c".repeat(32), "d".repeat(32), "e".repeat(32))),
                        Map.of()))
                .hasMessageStartingWith("IDEMPOTENCY_PREVIOUS_SECRETS[3] exceeds the maximum of 3");
    }

    private static Map<String, String> previous(String secrets) {
        return Map.of("IDEMPOTENCY_PREVIOUS_SECRETS", secrets);
    }

    @Test
    void aMissingFileIsAnErrorOnlyIfItWasAskedFor() {
        assertThatThrownBy(() -> SettingsReader.read(Map.of(), Optional.of(folder.resolve("none.yml")), Map.of()))
                .hasMessageContaining("none.yml cannot be read");
    }

    @Test
    void productionSaysAllThatIsMissing() {
        assertThatThrownBy(() -> read("""
                                calls: {sites: {a: {}}}
                                webhooks: {stripe: {}}
                                api: {routes: [{path: /a, target: "http://a"}, {path: /b, target: "http://b", key: off}]}
                                """, Map.of(), Map.of(Setting.PRODUCTION, "true")))
                .hasMessageContaining("The route /a has no identity")
                .hasMessageNotContaining("The route /b")
                .hasMessageContaining("(--production is set)")
                .hasMessageContaining("export IDEMPOTENCY_SECRET=$(openssl rand -hex 32)")
                .hasMessageContaining("tokens: [{sha256:")
                .hasMessageContaining("calls.sites.a.secret")
                .hasMessageContaining("webhooks.stripe.secrets");
    }

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0,PRODUCTION",
        "10.0.0.1,PRODUCTION",
        "127.evil.com,PRODUCTION",
        "localhost,DEVELOPMENT",
        "127.0.0.9,DEVELOPMENT",
        "::1,DEVELOPMENT"
    })
    void theHostDecidesTheMode(String host, ServerMode mode) {
        String tokens = "tokens: [{sha256: %s, tenant: t, actor: a, role: client}]".formatted(DIGEST);

        assertThat(read(tokens, Map.of("IDEMPOTENCY_SECRET", SECRET), Map.of(Setting.HOST, host))
                        .mode())
                .isEqualTo(mode);
    }

    @Test
    void whatIsPrintedHoldsNoSecretAndCanBeReadAgain() {
        Settings settings = read("""
                database: {url: "jdbc:postgresql://db/semel?user=geheim1&password=geheim2", password: geheim3}
                redis: {url: "redis://:geheim4@cache:6379"}
                secret: geheim5-0123456789abcdef0123456789abcdef
                previous_secrets: [geheim8-0123456789abcdef0123456789abcdef]
                tokens: [{sha256: %s, tenant: t, actor: a, role: client}]
                calls: {sites: {a: {secret: geheim6}}}
                webhooks: {stripe: {secrets: [geheim7]}}
                """.formatted(DIGEST));

        String printed = SettingsPrinter.print(settings);

        assertThat(printed)
                .doesNotContain("geheim", DIGEST)
                .contains("port: 8080", "previous_secrets:\n- <hidden>", "tenant: t", "redis://<hidden>@cache:6379");
        assertThat(YamlFile.parse(printed, "printed", Map.of())
                        .section("server")
                        .value("port"))
                .contains(new SettingValue("printed: server.port", "8080"));
    }

    @Test
    void aTenantSeesNothingOfOthers() {
        Settings settings = read("""
                tokens:
                  - {sha256: %s, tenant: acme, actor: ann, role: client}
                  - {sha256: %s, tenant: globex, actor: gil, role: client}
                  - {sha256: %s, tenants: [acme, globex], actor: both, role: client}
                calls: {sites: {acme: {secret: s1}, globex: {secret: s2}}}
                webhooks:
                  stripe: {secrets: [s3], tenants: [acme, globex]}
                  github: {secrets: [s4], tenants: [globex]}
                  paypal: {webhook_id: open}
                api:
                  routes:
                    - {path: /a, target: "http://a", identity: authorization, tenant: acme}
                    - {path: /g, target: "http://g", identity: authorization, tenant: globex}
                """.formatted("a".repeat(64), "b".repeat(64), "c".repeat(64)));

        String printed = SettingsPrinter.print(settings, "acme"::equals);

        assertThat(printed)
                .contains("ann", "acme:", "stripe:", "paypal:", "http://a")
                .doesNotContain("globex", "gil", "both", "github", "http://g");
    }

    @Test
    void printedRoutesAreReadAgainAsTheSameRoutes() {
        Settings settings = read("""
                api:
                  routes:
                    - {path: /plain, target: "http://a"}
                    - {path: /token, target: "http://a", identity: token, on_stale: park, ttl_hours: 3, key: optional}
                    - {path: /own, target: "http://a", identity: authorization, tenant: t, profile: ietf,
                       in_progress_status: 425, release: [429, 5xx], replay_headers: [X-Request-Id], store: none}
                    - {path: "/front/**", targets: ["http://a:1/x", "https://b"], methods: [PUT, DELETE],
                       identity: "header:X-User", tenant_header: X-Tenant, trusted_fronts: [10.0.0.0/8, "::1"],
                       lease_seconds: 7, answer_bytes: 9, wait_seconds: 2, connect_seconds: 4, timeout_seconds: 8}
                """);

        String printed = SettingsPrinter.print(settings);
        assertThat(read(printed.substring(printed.indexOf("\napi:"))).routes())
                .hasSize(4)
                .hasToString(settings.routes().toString());
    }

    private Settings readForTools(String yaml) {
        try {
            return SettingsReader.readForTools(
                    Map.of(), Optional.of(Files.writeString(folder.resolve("semel.yml"), yaml)), Map.of());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private Settings read(String yaml) {
        return read(yaml, Map.of(), Map.of());
    }

    private Settings read(String yaml, Map<String, String> environment, Map<Setting, String> options) {
        try {
            return SettingsReader.read(
                    options, Optional.of(Files.writeString(folder.resolve("semel.yml"), yaml)), environment);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
