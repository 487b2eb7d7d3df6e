// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static dev.semel.testkit.Commands.insert;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Status;
import dev.semel.claim.Terms;
import dev.semel.spi.ClaimBrowser.Query;
import dev.semel.spi.ClaimEntry;
import dev.semel.spi.Command;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The browser compares tenants, scopes and keys as bytes, and returns them exactly. */
abstract class BrowsingKeysContract extends BrowserGroup {
    BrowsingKeysContract(ClaimBrowserContract contract) {
        super(contract);
    }

    @Test
    void keysThatOnlyLookAlikeAreCountedEach() {
        for (String key : NamingContract.LOOK_ALIKES) {
            applied(insert(refOf(tenant, Commands.SCOPE, key)));
        }

        assertThat(browser().counts(tenant))
                .containsEntry(Status.IN_PROGRESS, (long) NamingContract.LOOK_ALIKES.size());
    }

    @Test
    void scopesThatOnlyLookAlikeHavePagesOfTheirOwn() {
        for (String scope : NamingContract.LOOK_ALIKES) {
            applied(insert(refOf(tenant, scope, "key"), scope, Terms.DEFAULT));
        }
        for (String scope : NamingContract.LOOK_ALIKES) {
            assertThat(browser().page(Query.of(tenant, 100).inScope(scope)).entries())
                    .as("the claims in scope '%s'", scope)
                    .extracting(ClaimEntry::ref)
                    .containsExactly(refOf(tenant, scope, "key"));
        }
    }

    @Test
    void tenantsThatOnlyLookAlikeSeeOnlyTheirOwnClaims() {
        List<String> tenants = NamingContract.LOOK_ALIKES.stream()
                .map(name -> name + tenant + name)
                .toList();
        for (String name : tenants) {
            applied(insert(refOf(name, Commands.SCOPE, "key")));
        }
        for (String name : tenants) {
            assertThat(browser().counts(name)).containsEntry(Status.IN_PROGRESS, 1L);
            assertThat(browser().page(Query.of(name, 100)).entries())
                    .as("the claims of tenant '%s'", name)
                    .extracting(ClaimEntry::ref)
                    .containsExactly(refOf(name, Commands.SCOPE, "key"));
        }
    }

    @Test
    void anotherTenantDoesNotFindAClaim() {
        for (ClaimRef ref : List.of(running().ref(), lapsed(Terms.DEFAULT).ref())) {
            assertThat(browser().find(new ClaimRef("stranger-" + tenant, ref.digest())))
                    .isEmpty();
        }
    }

    @Test
    void namesOfTheGreatestLengthAreShownExactly() {
        for (String character : NamingContract.WIDE_CHARACTERS) {
            String longTenant = NamingContract.filled(tenant, character, ClaimKey.MAX_TENANT);
            String longScope = NamingContract.filled("scope", character, ClaimKey.MAX_SCOPE);
            String secretId = NamingContract.filled("", character, 32);
            ClaimRef ref = refOf(longTenant, longScope, NamingContract.filled("key", character, ClaimKey.MAX_KEY));
            Command.Insert some = insert(ref, longScope, Terms.DEFAULT);
            applied(new Command.Insert(
                    ref, longScope, secretId, some.token(), some.record(), some.fingerprint(), some.terms()));

            ClaimEntry entry = entry(ref);
            assertThat(entry.ref()).isEqualTo(ref);
            assertThat(entry.scope()).isEqualTo(longScope);
            assertThat(entry.secretId()).isEqualTo(secretId);
        }
    }
}
