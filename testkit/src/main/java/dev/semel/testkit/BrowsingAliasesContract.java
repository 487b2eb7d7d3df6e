// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static dev.semel.testkit.Commands.insert;
import static dev.semel.testkit.Commands.settle;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.Status;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.spi.Alias;
import dev.semel.spi.ClaimBrowser.Query;
import dev.semel.spi.ClaimEntry;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A claim with several keys is listed once and found by each of them. */
abstract class BrowsingAliasesContract extends BrowserGroup {
    private final ClaimRef a = newRef();
    private final ClaimRef b = newRef();
    private final ClaimRef c = newRef();

    BrowsingAliasesContract(ClaimBrowserContract contract) {
        super(contract);
    }

    @Test
    void theFirstConflictIsRecordedAndShown() {
        applied(insert(a));
        applied(insert(b));
        applied(insert(c));
        assertThat(entry(a).conflictsWith()).isNull();

        verdict(store(), insert(a, List.of(b)));
        verdict(store(), insert(a, List.of(c)));

        assertThat(entry(a).conflictsWith()).isEqualTo(b);
        assertThat(entry(b).conflictsWith()).isEqualTo(a);
        assertThat(entry(c).conflictsWith()).isEqualTo(a);
    }

    @Test
    void aliasesAreNeitherCountedNorListedButFindTheirClaim() {
        Snapshot record = applied(insert(a, List.of(b, c)));

        assertThat(browser().counts(tenant)).isEqualTo(Map.of(Status.IN_PROGRESS, 1L));
        assertThat(browser().page(Query.of(tenant, 10)).entries())
                .extracting(ClaimEntry::ref)
                .containsExactly(a);
        assertThat(entry(b)).isEqualTo(entry(record.ref()));
        assertThat(browser().find(new ClaimRef("stranger-" + tenant, b.digest())))
                .isEmpty();
    }

    /** The count that an operator watches during a rotation. It falls to zero as claims are asked for again. */
    @Test
    void claimsLeaveTheCountOfTheOldSecretWhenTheyAreAskedForByTheNewOne() {
        Secret old = Secret.of("the old secret, " + UUID.randomUUID());
        Secret fresh = Secret.of("the new secret, " + UUID.randomUUID());
        Operation<String> work = Operation.of(Commands.SCOPE, Codec.text());
        List<String> keys = List.of("early-1", "early-2", "early-3");
        try (Semel before = Semel.on(store())
                        .secrets(Secrets.of(old))
                        .withoutSweep()
                        .build();
                Semel after = Semel.on(secondStore())
                        .secrets(Secrets.of(fresh, old))
                        .withoutSweep()
                        .build()) {
            keys.forEach(key -> before.execute(work, work.key(tenant, key), run -> "done"));
            assertThat(browser().onlyFoundBy(old.id())).isEqualTo(keys.size());

            keys.forEach(key -> assertThat(after.execute(work, work.key(tenant, key), run -> "run again"))
                    .isEqualTo(new Outcome.Succeeded<>("done", true)));
            assertThat(browser().onlyFoundBy(old.id())).isZero();
        }
    }

    @Test
    void aClaimIsCountedForASecretUntilAnotherSecretHasAKeyForIt() {
        String old = "old-" + tenant.substring(tenant.length() - 8);
        String fresh = "new-" + tenant.substring(tenant.length() - 8);
        Snapshot byOld = applied(insertBy(old, a));
        assertThat(browser().onlyFoundBy(old)).isEqualTo(1);
        assertThat(browser().onlyFoundBy(fresh)).isZero();

        refused(insertBy(fresh, b, new Alias(a, old, OwnerToken.random())));
        assertThat(browser().onlyFoundBy(old)).isZero();

        refused(insertBy(old, c, new Alias(a, old, OwnerToken.random())));
        assertThat(browser().onlyFoundBy(old))
                .as("its other key is found by the old one only")
                .isEqualTo(1);

        applied(settle(byOld, Status.SUCCEEDED));
        age(a, PAST_TTL);
        assertThat(browser().onlyFoundBy(old)).as("once it expired").isZero();
    }

    private static Command.Insert insertBy(String secretId, ClaimRef ref, Alias... aliases) {
        Command.Insert plain = insert(ref);
        return new Command.Insert(
                ref,
                plain.scope(),
                secretId,
                plain.token(),
                plain.record(),
                plain.fingerprint(),
                plain.terms(),
                List.of(aliases));
    }
}
