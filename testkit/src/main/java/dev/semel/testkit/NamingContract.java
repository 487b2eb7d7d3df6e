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
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tenants, scopes and keys are compared as bytes, and one tenant's claims do not exist for another. */
abstract class NamingContract extends ContractGroup {
    /** Texts that collations, trimming or Unicode normalization treat as equal. */
    static final List<String> LOOK_ALIKES = List.of(
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

    /** In UTF-8 a surrogate pair takes four bytes, and a single char at most three. */
    static final List<String> WIDE_CHARACTERS = List.of("\ud83e\udd9c", "\u8a9e", "x");

    NamingContract(ClaimStoreContract contract) {
        super(contract);
    }

    @Test
    void keysThatOnlyLookAlikeAreDifferentClaims() {
        List<ClaimRef> refs = LOOK_ALIKES.stream()
                .map(key -> refOf(tenant, Commands.SCOPE, key))
                .toList();
        refs.forEach(ref -> applied(insert(ref)));

        assertThat(store().read(refs)).hasSameSizeAs(LOOK_ALIKES);
    }

    @Test
    void scopesThatOnlyLookAlikeAreDifferentClaimsAndStoredExactly() {
        for (String scope : LOOK_ALIKES) {
            applied(insert(refOf(tenant, scope, "key"), scope, Terms.DEFAULT));
        }
        for (String scope : LOOK_ALIKES) {
            ClaimRef ref = refOf(tenant, scope, "key");
            assertThat(read(ref).scope()).isEqualTo(scope);
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
            List<ClaimRef> strangers = tenants.stream()
                    .filter(stranger -> !stranger.equals(name))
                    .map(stranger -> new ClaimRef(stranger, ref.digest()))
                    .toList();
            assertThat(store().read(strangers))
                    .as("what strangers see of '%s'", name)
                    .isEmpty();
        }
    }

    /** Knowing the digest and even the token of another tenant's claim gives no access to it. */
    @Test
    void anotherTenantCanNeitherSeeNorChangeAClaim() {
        Snapshot owned = applied(insert(newRef()));
        Snapshot lapsed = lapsed(Terms.DEFAULT);
        for (Snapshot claim : List.of(owned, lapsed)) {
            ClaimRef foreign = new ClaimRef("stranger-" + tenant, claim.ref().digest());
            Command.TakeOver takeOver = takeOver(claim);

            assertThat(isAbsent(foreign)).isTrue();
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
        for (String character : WIDE_CHARACTERS) {
            String longTenant = filled(tenant, character, ClaimKey.MAX_TENANT);
            String longScope = filled("scope", character, ClaimKey.MAX_SCOPE);
            ClaimRef ref = refOf(longTenant, longScope, filled("key", character, ClaimKey.MAX_KEY));
            Command.Insert some = insert(ref, longScope, Terms.DEFAULT);
            String secretId = filled("", character, 32);

            Snapshot granted = applied(new Command.Insert(
                    ref, longScope, secretId, some.token(), some.record(), some.fingerprint(), some.terms()));

            assertThat(granted.ref()).isEqualTo(ref);
            assertThat(read(ref).scope()).isEqualTo(longScope);
            String reason = filled("", character, Command.Settle.MAX_REASON);
            applied(new Command.Settle(ref, granted.token(), Status.FAILED, null, reason));
            assertThat(read(ref).reason()).isEqualTo(reason);
        }
    }

    /** Text of exactly this length: the start, then the character as often as it fits, then ASCII. */
    static String filled(String start, String character, int length) {
        String repeated = start + character.repeat((length - start.length()) / character.length());
        return repeated + "-".repeat(length - repeated.length());
    }
}
