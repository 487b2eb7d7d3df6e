// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.InProcessServer.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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

    enum Target {
        SERVER,
        DATABASE
    }

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
    void aParkedClaimIsListedShownAndReleased(Target target) {
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
    void aResultReachesTheNextCaller(Target target) throws IOException {
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
    void aClaimThatMovedOnIsNotChanged(Target target) {
        String id = parked("pay", "order-3");

        CommandRun refused = run(target, "fail", id, "--fence", "1", "--reason", "late");

        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err()).startsWith("semel: ").contains("nothing was changed");
        assertThat(run(target, "show", id, "--json").text("status")).isEqualTo("unknown");
    }

    @ParameterizedTest
    @EnumSource
    void aClaimIsFoundByItsKeyFromAFile(Target target) throws IOException {
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
    void aPrefixOfTheLogLeadsToTheClaimAndTheInboxEvent(Target target) {
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
    void aCallHasNoClaimButIsShown(Target target) {
        Reply sent = server.post(
                "/api/call-event", "{\"site_id\":\"%s\"}".formatted(tenant), "x-ops-signature", "signature");

        CommandRun shown = run(target, "show", sent.header("X-Idempotency-Key").substring(0, 16), "--json");

        assertThat(shown.exit()).as(shown.err()).isZero();
        assertThat(shown.out()).contains("\"call\"", "/api/calls/" + sent.text("call_id"));
    }

    @ParameterizedTest
    @EnumSource
    void wrongParametersAreExplained(Target target) {
        assertThat(run(target, "list", "--status", "lost").exit()).isEqualTo(1);
        assertThat(run(target, "list", "--limit", "0").err()).contains("limit must be a number from 1 to 1000");
        assertThat(run(target, "show", "ffffffffffff").err()).contains("has an id that starts so", "--tenant");
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

        assertThat(run(Target.SERVER, "list").out()).contains("\\u202epay").doesNotContain("\u202e");
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

    private CommandRun run(Target target, String verb, String... options) {
        List<String> all = new ArrayList<>(List.of("keys", verb, "--tenant", tenant, "--actor", "ann"));
        all.addAll(
                target == Target.SERVER
                        ? List.of("--url", "http://127.0.0.1:" + server.port())
                        : List.of("--data-dir", folder.resolve("data").toString()));
        all.addAll(List.of(options));
        return CommandRun.of(all.toArray(String[]::new));
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
