// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import dev.semel.spi.ClaimBrowser;
import org.junit.jupiter.api.Nested;

/**
 * The tests that a store with a {@link ClaimBrowser} must pass. A store's contract test adds them as a nested class:
 *
 * <pre>{@code
 * @Nested
 * class Browser extends ClaimBrowserContract {
 *     Browser() {
 *         super(MyStoreContractTest.this);
 *     }
 *
 *     @Override
 *     protected ClaimBrowser browser() {
 *         return FIRST;
 *     }
 * }
 * }</pre>
 */
public abstract class ClaimBrowserContract {
    private final ClaimStoreContract stores;

    /** Tests the browser of the store that this contract tests. */
    protected ClaimBrowserContract(ClaimStoreContract stores) {
        this.stores = stores;
    }

    /** A browser of what {@link ClaimStoreContract#store()} holds. */
    protected abstract ClaimBrowser browser();

    final ClaimStoreContract stores() {
        return stores;
    }

    @Nested
    class Browsing extends BrowsingContract {
        Browsing() {
            super(ClaimBrowserContract.this);
        }
    }

    @Nested
    class BrowsingKeys extends BrowsingKeysContract {
        BrowsingKeys() {
            super(ClaimBrowserContract.this);
        }
    }

    @Nested
    class BrowsingAliases extends BrowsingAliasesContract {
        BrowsingAliases() {
            super(ClaimBrowserContract.this);
        }
    }

    /** Random histories, with the browser's answers compared too. */
    @Nested
    class BrowsingModel extends BrowsingModelContract {
        BrowsingModel() {
            super(ClaimBrowserContract.this);
        }
    }
}
