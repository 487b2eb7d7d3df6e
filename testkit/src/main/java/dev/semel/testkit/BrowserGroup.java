// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import dev.semel.claim.ClaimRef;
import dev.semel.spi.ClaimBrowser;
import dev.semel.spi.ClaimEntry;

/** What the groups of {@link ClaimBrowserContract} share. */
abstract class BrowserGroup extends ContractGroup {
    private final ClaimBrowserContract contract;

    BrowserGroup(ClaimBrowserContract contract) {
        super(contract.stores());
        this.contract = contract;
    }

    final ClaimBrowser browser() {
        return contract.browser();
    }

    final ClaimEntry entry(ClaimRef ref) {
        return browser().find(ref).orElseThrow();
    }
}
