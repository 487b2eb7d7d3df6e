// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static dev.semel.testkit.Commands.insert;
import static dev.semel.testkit.Commands.renew;
import static dev.semel.testkit.Commands.settle;
import static dev.semel.testkit.Commands.takeOver;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Status;
import dev.semel.claim.Terms;
import dev.semel.spi.ClaimBrowser.Query;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Names are compared as bytes, and one tenant's claims do not exist for another. */
abstract class NamingContract extends ContractGroup {
    /** What collations, trimming and Unicode normalisation take for one and the same. */
    private static final List<String> LOOK_ALIKES = List.of(
            "caf\u00e9",
            "cafe\u0301",
            "cafe",
            "Cafe",
            "CAFE",
            "cafe ",
            " cafe",
            "cafe\u00a0",
            "cafe\u200b",
            "\uff43\uff41\uff46\uff45",
            "ca\ufb00e",
            "caffe",
            "stra\u00dfe",
            "strasse",
            "\u0130",
            "\u0131",
            "i",
            "I",
            "\ud83d\ude00",
            "\ud83d\ude01",
            "?");

    NamingContract(ClaimStoreContract contract) {
        super(contract);
    }

    @Test
    void keysThatOnlyLookAlikeAreDifferentClaims() {
        for (String key : LOOK_ALIKES) {
            applied(insert(refOf(tenant, Commands.SCOPE, key)));
        }
        assertThat(browser().counts(tenant)).containsEntry(Status.IN_PROGRESS, (long) LOOK_ALIKES.size());
    }

    @Test
    void scopesThatOnlyLookAlikeAreDifferentClaimsAndStoredExactly() {
        for (String scope : LOOK_ALIKES) {
            applied(insert(refOf(tenant, scope, "key"), scope, Terms.DEFAULT));
        }
        for (String scope : LOOK_ALIKES) {
            ClaimRef ref = refOf(tenant, scope, "key");
            assertThat(read(ref).scope()).isEqualTo(scope);
            assertThat(browser().page(Query.of(tenant, 100).inScope(scope)))
                    .as("the claims in scope '%s'", scope)
                    .extracting(entry -> entry.ref())
                    .containsExactly(ref);
        }
    }

    @Test
    void tenantsThatOnlyLookAlikeAreStrangers() {
        List<String> tenants =
                LOOK_ALIKES.stream().map(name -> name + tenant + name).toList();
        for (String name : tenants) {
            applied(insert(refOf(name, Commands.SCOPE, "key")));
        }
        for (String name : tenants) {
            ClaimRef ref = refOf(name, Commands.SCOPE, "key");
            assertThat(read(ref).ref()).isEqualTo(ref);
            assertThat(browser().counts(name)).containsEntry(Status.IN_PROGRESS, 1L);
            assertThat(browser().page(Query.of(name, 100)))
                    .as("the claims of tenant '%s'", name)
                    .extracting(entry -> entry.ref())
                    .containsExactly(ref);
            List<ClaimRef> strangers = tenants.stream()
                    .filter(stranger -> !stranger.equals(name))
                    .map(stranger -> new ClaimRef(stranger, ref.digest()))
                    .toList();
            assertThat(store().read(strangers))
                    .as("what strangers see of '%s'", name)
                    .isEmpty();
        }
    }

    /** Whoever learns a digest, and even a token, of another tenant can do nothing with it. */
    @Test
    void anotherTenantCanNeitherSeeNorChangeAClaim() {
        Snapshot owned = applied(insert(newRef()));
        Snapshot lapsed = lapsed(Terms.DEFAULT);
        for (Snapshot claim : List.of(owned, lapsed)) {
            ClaimRef foreign = new ClaimRef("stranger-" + tenant, claim.ref().digest());
            Command.TakeOver takeOver = takeOver(claim);

            assertThat(isAbsent(foreign)).isTrue();
            assertThat(browser().find(foreign)).isEmpty();
            refusedAsAbsent(new Command.Settle(foreign, claim.token(), Status.SUCCEEDED, null, null));
            refusedAsAbsent(new Command.Renew(foreign, claim.token(), Terms.DEFAULT.lease()));
            refusedAsAbsent(new Command.TakeOver(
                    foreign,
                    claim.token(),
                    takeOver.token(),
                    takeOver.record(),
                    takeOver.fingerprint(),
                    takeOver.terms()));

            assertThat(timeless(read(claim.ref()))).isEqualTo(timeless(claim));
        }
        applied(renew(owned, Terms.DEFAULT.lease()));
        applied(settle(owned, Status.SUCCEEDED));
    }

    @Test
    void namesOfTheGreatestLengthAreStoredExactly() {
        // The most bytes that a character may take in UTF-8 are four as a surrogate pair and three as a single one.
        for (String character : List.of("\ud83e\udd9c", "\u8a9e", "x")) {
            String longTenant = filled(tenant, character, ClaimKey.MAX_TENANT);
            String longScope = filled("scope", character, ClaimKey.MAX_SCOPE);
            ClaimRef ref = refOf(longTenant, longScope, filled("key", character, ClaimKey.MAX_KEY));
            Command.Insert some = insert(ref, longScope, Terms.DEFAULT);
            String secretId = filled("", character, 32);

            Snapshot granted = applied(new Command.Insert(
                    ref, longScope, secretId, some.token(), some.record(), some.fingerprint(), some.terms()));

            assertThat(granted.ref()).isEqualTo(ref);
            assertThat(read(ref).scope()).isEqualTo(longScope);
            assertThat(browser().find(ref)).hasValueSatisfying(entry -> {
                assertThat(entry.ref()).isEqualTo(ref);
                assertThat(entry.scope()).isEqualTo(longScope);
                assertThat(entry.secretId()).isEqualTo(secretId);
            });
            String reason = filled("", character, Command.Settle.MAX_REASON);
            applied(new Command.Settle(ref, granted.token(), Status.FAILED, null, reason));
            assertThat(read(ref).reason()).isEqualTo(reason);
        }
    }

    /** As much of the character as fits, and the rest in ASCII. */
    private static String filled(String start, String character, int length) {
        String most = start + character.repeat((length - start.length()) / character.length());
        return most + "-".repeat(length - most.length());
    }
}
