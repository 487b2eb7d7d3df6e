// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.ClaimRef;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.spi.ClaimBrowser;
import dev.semel.spi.ClaimBrowser.Query;
import dev.semel.spi.ClaimEntry;
import java.util.List;
import java.util.function.Supplier;

/** The browser and {@link MemoryClaimStore} agree after every step of random histories. */
abstract class BrowsingModelContract extends ModelAgreementContract {
    private static final int SEEDS = 4;

    private final ClaimBrowserContract contract;

    BrowsingModelContract(ClaimBrowserContract contract) {
        super(contract.stores());
        this.contract = contract;
    }

    @Override
    final int seeds() {
        return SEEDS;
    }

    /** Pages and counts show claims, not aliases. */
    @Override
    final void compareViews(MemoryClaimStore model, String ofTenant, List<ClaimRef> refs, Supplier<String> context) {
        ClaimBrowser browser = contract.browser();
        for (ClaimRef ref : refs) {
            assertThat(browser.find(ref).map(ComparableClaim::of))
                    .as(context)
                    .isEqualTo(model.find(ref).map(ComparableClaim::of));
        }
        assertThat(refsOf(browser, ofTenant)).as(context).isEqualTo(refsOf(model, ofTenant));
        assertThat(browser.counts(ofTenant)).as(context).isEqualTo(model.counts(ofTenant));
    }

    private static List<ClaimRef> refsOf(ClaimBrowser browser, String ofTenant) {
        return browser.page(Query.of(ofTenant, 100)).entries().stream()
                .map(ClaimEntry::ref)
                .sorted()
                .toList();
    }
}
