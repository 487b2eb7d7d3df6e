// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.ClaimOutcome;
import dev.semel.ClaimRequest;
import dev.semel.Semel;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Terms;
import dev.semel.key.Secrets;
import dev.semel.testservers.PostgresServer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each claim with aliases is its own transaction: thousands of them in one call take longer than one timeout. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ManyAliasedClaimsTest {
    private static final int MANY = 5_000;

    @Test
    void thousandsOfClaimsWithAliasesAreGrantedAtTheFirstTry() throws Exception {
        try (ClaimDatabase database = ClaimDatabase.postgres(PostgresServer.shared());
                Semel semel = Semel.on(JdbcClaimStore.migrating(database.pool(8)))
                        .secrets(Secrets.of("0123456789abcdef0123456789abcdef"))
                        .withoutSweep()
                        .build()) {
            List<ClaimRequest> requests = IntStream.range(0, MANY)
                    .mapToObj(i -> new ClaimRequest(
                            new ClaimKey("acme", "webhook", "event " + i).alsoKnownAs("delivery " + i),
                            Fingerprint.NONE,
                            Terms.DEFAULT))
                    .toList();

            List<ClaimOutcome> outcomes =
                    semel.claimAll(requests).toCompletableFuture().get(150, TimeUnit.SECONDS);

            assertThat(outcomes).hasSize(MANY).allMatch(outcome -> outcome instanceof ClaimOutcome.Granted);
        }
    }
}
