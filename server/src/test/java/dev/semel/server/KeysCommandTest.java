// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.payload.json.JsonArray;
import dev.semel.server.InProcessServer.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The commands {@code keys ...} against a running server and against its database, meanwhile. */
class KeysCommandTest {
    @TempDir
    static Path folder;

    private static InProcessServer server;

    private final String tenant = "tenant-" + UUID.randomUUID();

    @BeforeAll
    static void start() {
        server = InProcessServer.in(folder);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @EnumSource
    void aParkedClaimIsListedShownAndReleased(CommandTarget target) {
        String id = parked("pay", "order-1");

        assertThat(run(target, "list", "--status", "unknown").out()).contains(id, "unknown", "pay");
        assertThat(run(target, "show", id).out())
                .contains("To decide it: semel keys release|fail|succeed " + id + " --fence ")
                .doesNotContain("records:");
        CommandRun shown = run(target, "show", id.substring(0, 12), "--json");
        assertThat(shown.text("status")).isEqualTo("unknown");
        CommandRun released =
                run(target, "release", id, "--fence", shown.text("fence"), "--reason", "not charged", "--json");

        assertThat(released.exit()).as(released.err()).isZero();
        assertThat(released.text("status")).isEqualTo("retryable");
        assertThat(run(target, "show", id).out()).contains("release", "not charged");
        assertThat(claim("pay", "order-1").status())
                .as("the next caller runs it")
                .isEqualTo(201);
    }

    @ParameterizedTest
    @EnumSource
    void aResultReachesTheNextCaller(CommandTarget target) throws IOException {
        String id = parked("pay", "order-2");
        Path result = Files.writeString(folder.resolve("result-" + target), "{\"receipt\":7}");
        String fence = run(target, "show", id, "--json").text("fence");

        CommandRun decided = run(
                target,
                "succeed",
                id,
                "--fence",
                fence,
                "--reason",
                "seen",
                "--result-file",
                result.toString(),
                "--json");

        assertThat(decided.text("status")).isEqualTo("succeeded");
        assertThat(claim("pay", "order-2").body()).contains("\"receipt\":7");
    }

    @ParameterizedTest
    @EnumSource
    void aClaimThatMovedOnIsNotChanged(CommandTarget target) {
        String id = parked("pay", "order-3");

        CommandRun refused = run(target, "fail", id, "--fence", "1", "--reason", "late");

        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err()).startsWith("semel: ").contains("nothing was changed");
        assertThat(run(target, "show", id, "--json").text("status")).isEqualTo("unknown");
    }

    @ParameterizedTest
    @EnumSource
    void aClaimIsFoundByItsKeyFromAFile(CommandTarget target) throws IOException {
        String id = parked("pay", "order-4");
        Path key = Files.writeString(folder.resolve("key-" + target), "order-4\n");

        assertThat(run(target, "show", "--key-file", key.toString(), "--json").text("id"))
                .isEqualTo(id);
        CommandRun other = run(target, "show", "--key-file", key.toString(), "--scope", "refund");
        assertThat(other.exit()).isEqualTo(1);
        assertThat(other.err()).contains("No claim has this key").doesNotContain("order-4");
    }

    @ParameterizedTest
    @EnumSource
    void aPrefixOfTheLogLeadsToTheClaimAndTheInboxEvent(CommandTarget target) {
        Reply sent = server.post("/webhooks/" + tenant + "/custom", "{\"id\":\"one\"}");
        String prefix = sent.header("X-Idempotency-Key");

        CommandRun shown = run(target, "show", prefix);
        CommandRun listed = run(target, "list", "--prefix", prefix);

        assertThat(shown.exit()).as(shown.err()).isZero();
        assertThat(shown.out()).contains("webhook:custom", "records:", "inbox_event  id ", "path /v1/inbox/");
        assertThat(listed.out()).contains("webhook:custom", "inbox event ", ": GET /v1/inbox/");
    }

    @ParameterizedTest
    @EnumSource
    void aCallHasNoClaimButIsShown(CommandTarget target) {
        Reply sent = server.post(
                "/api/call-event", "{\"site_id\":\"%s\"}".formatted(tenant), "x-ops-signature", "signature");

        CommandRun shown = run(target, "show", sent.header("X-Idempotency-Key").substring(0, 16), "--json");

        assertThat(shown.exit()).as(shown.err()).isZero();
        assertThat(shown.out()).contains("\"call\"", "/api/calls/" + sent.text("call_id"));
        CommandRun whole = run(target, "show", sent.header("X-Idempotency-Key"));
        assertThat(whole.exit()).as(whole.err()).isZero();
        assertThat(whole.out()).contains("/api/calls/" + sent.text("call_id"));
    }

    /** Its status does not change at the end of the lease, but callers receive "unknown". */
    @ParameterizedTest
    @EnumSource
    void aClaimWhoseOwnerDisappearedCanBeDecided(CommandTarget target) throws Exception {
        Reply claimed = server.post(
                "/v1/claims",
                "{\"scope\":\"pay\",\"key\":\"order-9\",\"on_stale\":\"park\"}",
                "X-Organization-Id",
                tenant);
        String id = claimed.text("claim_id");
        assertThat(run(target, "show", id).out()).doesNotContain("To decide it");
        assertThat(run(target, "list").out()).contains("in_progress").doesNotContain("lapsed");
        sql("UPDATE idempotency_keys SET lease_until = created_at WHERE tenant = '" + tenant + "'");

        assertThat(claim("pay", "order-9").status()).isEqualTo(409);
        assertThat(run(target, "list", "--status", "in_progress").out()).contains("in_progress, lapsed");
        assertThat(run(target, "show", id).out()).contains("To decide it: semel keys");
        String fence = run(target, "show", id, "--json").text("fence");
        CommandRun failed = run(target, "fail", id, "--fence", fence, "--reason", "not charged", "--json");
        assertThat(failed.text("status")).as(failed.err()).isEqualTo("failed");
    }

    private static void sql(String statement) throws Exception {
        try (Connection connection = DriverManager.getConnection(
                        "jdbc:sqlite:" + folder.resolve("data/semel.db") + "?busy_timeout=10000");
                Statement update = connection.createStatement()) {
            update.execute(statement);
        }
    }

    /** A page reads 20,000 claims, so the first pages about a rare state are empty. */
    @ParameterizedTest
    @EnumSource
    void aRareStateIsFoundBehindManyClaims(CommandTarget target) throws Exception {
        String first = parked("pay", "order-6");
        String second = parked("pay", "order-7");
        copied(40_001);
        Path key = Files.writeString(folder.resolve("rare-" + target), "order-6");

        CommandRun all = run(target, "list", "--status", "unknown", "--json");
        assertThat(all.out()).as(all.err()).contains(first, second);
        assertThat(all.text("more")).isEqualTo("false");
        CommandRun one = run(target, "list", "--status", "unknown", "--limit", "1");
        assertThat(one.out()).contains(second, "There may be more: --after ").doesNotContain(first);
        String next = run(target, "list", "--status", "unknown", "--limit", "1", "--json")
                .text("next");
        assertThat(run(target, "list", "--status", "unknown", "--after", next).out())
                .contains(first)
                .doesNotContain(second);
        assertThat(run(target, "list", "--limit", "1000", "--json").json().member("keys"))
                .as("a full page")
                .hasValueSatisfying(
                        keys -> assertThat(((JsonArray) keys).elements()).hasSize(1_000));

        CommandRun unsure = run(target, "show", "--key-file", key.toString());
        assertThat(unsure.out()).contains(first, "Not all scopes were tried: set --scope");
        CommandRun sure = run(target, "show", "--key-file", key.toString(), "--scope", "pay");
        assertThat(sure.out()).contains(first).doesNotContain("Not all scopes");
    }

    /** Adds newer claims of this tenant that have succeeded. */
    private void copied(int rows) throws Exception {
        try (Connection connection = DriverManager.getConnection(
                        "jdbc:sqlite:" + folder.resolve("data/semel.db") + "?busy_timeout=10000");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TEMP TABLE copy AS SELECT * FROM idempotency_keys WHERE tenant = '" + tenant
                    + "' ORDER BY created_at DESC LIMIT 1");
            statement.execute("UPDATE copy SET status = 'SUCCEEDED', created_at = created_at + 1000000");
            statement.execute(
                    "CREATE TEMP TABLE copies AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
                            + " WHERE i < " + rows + ") SELECT copy.*, i FROM copy, n");
            statement.execute("UPDATE copies SET key_hash = randomblob(32), record_id = randomblob(16),"
                    + " claim_nonce = randomblob(16), created_at = created_at + i");
            statement.execute("ALTER TABLE copies DROP COLUMN i");
            statement.execute("INSERT INTO idempotency_keys SELECT * FROM copies");
        }
    }

    @ParameterizedTest
    @EnumSource
    void claimsOfATimeAreListed(CommandTarget target) {
        String id = parked("pay", "order-8");
        String created = run(target, "show", id, "--json").text("created_at");

        assertThat(run(target, "list", "--from", created).out()).contains(id);
        assertThat(run(target, "list", "--before", created).out()).doesNotContain(id);
        assertThat(run(target, "list", "--from", "yesterday").err()).contains("from");
    }

    @ParameterizedTest
    @EnumSource
    void aLedgerEventIsFoundByItsKey(CommandTarget target) throws IOException {
        String key = "ledger-" + UUID.randomUUID();
        Reply written = server.post("/api/ledger/ingest", """
                {"idempotency_key":"%s","event":{"org_id":"%s","event_type":"paid"}}""".formatted(key, tenant));
        Path file = Files.writeString(folder.resolve(key), key);
        String path = "/api/ledger/events/" + written.text("id");

        assertThat(run(target, "show", "--key-file", file.toString()).out()).contains("ledger event", path);
        assertThat(run(target, "show", "--key-file", file.toString(), "--json").text("records"))
                .contains(path);

        String id = parked("pay", key);
        CommandRun both = run(target, "show", "--key-file", file.toString());
        assertThat(both.out()).contains(id, "To decide it", "records:", path);
    }

    @ParameterizedTest
    @EnumSource
    void wrongParametersAreExplained(CommandTarget target) {
        assertThat(run(target, "list", "--status", "lost").exit()).isEqualTo(1);
        assertThat(run(target, "list", "--limit", "0").err()).contains("limit must be a number from 1 to 1000");
        assertThat(run(target, "show", "ffffffffffff").err()).contains("has an id that starts so", "--tenant");
        assertThat(run(target, "show", "f".repeat(64)).err()).contains("No claim of this tenant has this id");
        assertThat(run(target, "show", "order-17").err()).contains("--key-file");
        assertThat(run(target, "show").exit()).isEqualTo(2);
        assertThat(run(target, "release", "ffffffffffff").exit()).isEqualTo(2);
    }

    @Test
    void terminalsReceiveNoControlCharacters() {
        parked("pay", "order-5");
        Reply claimed =
                server.post("/v1/claims", "{\"scope\":\"\\u202epay\",\"key\":\"k\"}", "X-Organization-Id", tenant);
        assertThat(claimed.status()).as(claimed.body()).isEqualTo(201);

        assertThat(run(CommandTarget.SERVER, "list").out())
                .contains("\\u202epay")
                .doesNotContain("\u202e");
    }

    @Test
    void aMissingServerIsExplained() {
        CommandRun failed = CommandRun.of("keys", "list", "--url", "http://127.0.0.1:1");

        assertThat(failed.exit()).isEqualTo(1);
        assertThat(failed.err()).contains("http://127.0.0.1:1 does not answer", "--database-url");
    }

    @Test
    void aServerAndADatabaseAreNotMixed() {
        assertThat(CommandRun.of("keys", "list", "--url", "http://127.0.0.1:1", "--data-dir", "x")
                        .exit())
                .isEqualTo(2);
    }

    @Test
    void aMissingFileIsNotCreated() {
        Path none = folder.resolve("none");

        assertThat(CommandRun.of("keys", "list", "--data-dir", none.toString()).err())
                .contains("does not exist", "semel migrate");
        assertThat(none).doesNotExist();
    }

    private CommandRun run(CommandTarget target, String verb, String... options) {
        return target.run(server, folder, List.of("keys", verb, "--tenant", tenant, "--actor", "ann"), options);
    }

    private Reply claim(String scope, String key) {
        return server.post(
                "/v1/claims", "{\"scope\":\"%s\",\"key\":\"%s\"}".formatted(scope, key), "X-Organization-Id", tenant);
    }

    private String parked(String scope, String key) {
        Reply claimed = claim(scope, key);
        String id = claimed.text("claim_id");
        Reply parked = server.post(
                "/v1/claims/" + id + "/park",
                "{\"token\":\"%s\",\"reason\":\"no answer\"}".formatted(claimed.text("token")),
                "X-Organization-Id",
                tenant);
        assertThat(parked.status()).as(parked.body()).isEqualTo(200);
        return id;
    }
}
