// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Work;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.Fingerprint;
import dev.semel.key.Secrets;
import dev.semel.testservers.PostgresServer;
import dev.semel.testservers.SilentNetwork;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Row 10 of docs/failures.md with claim and effect in one commit: either the commit or its answer is lost. */
@Timeout(60)
class TransactionalLostCommitTest {
    private static final Secrets SECRETS = Secrets.of("0123456789abcdef0123456789abcdef");
    private static final Operation<String> PAY =
            Operation.of("pay", Codec.text()).waitingUpTo(Duration.ofSeconds(30));
    private static final Pattern COMMIT = Pattern.compile("\\bCOMMIT\\b");

    @ParameterizedTest
    @EnumSource
    void row10_theEffectExistsOnce(SilentNetwork.At at) throws Exception {
        Outcome<String> outcome = withLostCommit(at, "SUCCEEDED", run -> "paid");

        assertThat(outcome.orElseThrow()).isEqualTo("paid");
    }

    @ParameterizedTest
    @EnumSource
    void row10_aRejectionAndItsWritesExistOnce(SilentNetwork.At at) throws Exception {
        Outcome<String> outcome = withLostCommit(at, "FAILED", run -> run.reject("INSUFFICIENT_FUNDS"));

        assertThat(outcome).isInstanceOf(Outcome.Rejected.class);
    }

    /** Loses the first commit of a transaction with one effect. The effect and the claim, with this status, exist once. */
    private static Outcome<String> withLostCommit(SilentNetwork.At at, String status, Work<String> end)
            throws Exception {
        PostgresServer server = PostgresServer.shared();
        try (ClaimDatabase database = ClaimDatabase.postgres(server);
                SilentNetwork network = new SilentNetwork(server, COMMIT)) {
            Effects effects = Effects.in(database);
            TransactionalClaims claims = behind(network, server, database, SECRETS);
            network.fallSilentAtCommit(1, at);

            Outcome<String> outcome = claims.inTransaction(PAY, PAY.key("acme", "key"), (connection, run) -> {
                Effects.add(connection, "effect");
                return end.run(run);
            });

            assertThat(network.isSilent()).as("the network became silent").isTrue();
            assertThat(effects.counts()).isEqualTo(Map.of("effect", 1));
            assertThat(effects.claims()).isEqualTo(Map.of(status, 1));
            return outcome;
        }
    }

    @ParameterizedTest
    @EnumSource
    void row10_aGroupIsSentAgain_andFindsItsOwnTokens(SilentNetwork.At at) throws Exception {
        PostgresServer server = PostgresServer.shared();
        try (ClaimDatabase database = ClaimDatabase.postgres(server);
                SilentNetwork network = new SilentNetwork(server, COMMIT)) {
            Effects effects = Effects.in(database);
            TransactionalClaims claims = behind(network, server, database, SECRETS);
            network.fallSilentAtCommit(1, at);
            try (GroupedClaims<String, String> group = GroupedClaims.on(claims, PAY, Effects::addAll)) {
                Outcome<String> outcome = group.submit(PAY.key("acme", "key"), "posted", "posted")
                        .toCompletableFuture()
                        .join();

                assertThat(network.isSilent()).as("the network became silent").isTrue();
                assertThat(outcome)
                        .as("its own result, not a replay")
                        .isEqualTo(new Outcome.Succeeded<>("posted", false));
            }
            assertThat(effects.counts()).isEqualTo(Map.of("posted", 1));
            assertThat(effects.claims()).isEqualTo(Map.of("SUCCEEDED", 1));
        }
    }

    @ParameterizedTest
    @EnumSource
    void row10_aGroupFindsItsOwnTokensWhileTheSecretIsRotated(SilentNetwork.At at) throws Exception {
        PostgresServer server = PostgresServer.shared();
        try (ClaimDatabase database = ClaimDatabase.postgres(server);
                SilentNetwork network = new SilentNetwork(server, COMMIT)) {
            Effects effects = Effects.in(database);
            TransactionalClaims claims =
                    behind(network, server, database, RotationSteps.STEPS.get(RotationSteps.PROMOTED));
            network.fallSilentAtCommit(1, at);
            try (GroupedClaims<String, String> group = GroupedClaims.on(claims, PAY, Effects::addAll)) {
                Outcome<String> outcome = group.submit(PAY.key("acme", "key"), "posted", "posted")
                        .toCompletableFuture()
                        .join();

                assertThat(network.isSilent()).as("the network became silent").isTrue();
                assertThat(outcome)
                        .as("its own result, not a replay")
                        .isEqualTo(new Outcome.Succeeded<>("posted", false));
            }
            assertThat(effects.counts()).isEqualTo(Map.of("posted", 1));
        }
    }

    /** Only the claim shows which of two results was committed. */
    @ParameterizedTest
    @EnumSource
    void row10_aGroupFindsOutWhetherItsSecondClaimWasTaken(SilentNetwork.At at) throws Exception {
        PostgresServer server = PostgresServer.shared();
        try (ClaimDatabase database = ClaimDatabase.postgres(server);
                SilentNetwork network = new SilentNetwork(server, COMMIT)) {
            Effects effects = Effects.in(database);
            TransactionalClaims claims = behind(network, server, database, SECRETS);
            try (GroupedClaims<String, String> group = GroupedClaims.on(claims, PAY, Effects::addAll)) {
                for (String key : List.of("first", "second")) {
                    network.fallSilentAtCommit(1, at);
                    Outcome<String> outcome = group.submit(
                                    new GroupedClaims.Request<>(
                                            PAY,
                                            AliasedKey.of(PAY.key("acme", key)),
                                            Fingerprint.NONE,
                                            "posted",
                                            new GroupedClaims.Second<>(PAY, PAY.key("acme", "shared"), "taken")),
                                    "posted")
                            .toCompletableFuture()
                            .join();

                    assertThat(outcome)
                            .as("its own result, not a replay")
                            .isEqualTo(new Outcome.Succeeded<>(key.equals("first") ? "posted" : "taken", false));
                }
                assertThat(network.isSilent()).as("the network became silent").isTrue();
            }
            assertThat(effects.counts()).isEqualTo(Map.of("posted", 1));
        }
    }

    /** Claims through a pool with a socket timeout, as pools in production have. */
    private static TransactionalClaims behind(
            SilentNetwork network, PostgresServer server, ClaimDatabase database, Secrets secrets) {
        JdbcClaimStore.migrating(database.pool(1));
        String through = database.url().replace(":" + server.port() + "/", ":" + network.port() + "/");
        String bounded = through + (through.contains("?") ? "&" : "?") + "socketTimeout=1";
        return TransactionalClaims.on(database.hastyPool(bounded, 4), secrets);
    }
}
