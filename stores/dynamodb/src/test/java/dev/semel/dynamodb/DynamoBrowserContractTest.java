// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import dev.semel.spi.ClaimBrowser;
import dev.semel.testkit.ClaimBrowserContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Order;

/** With a table of its own, so that it runs at the same time as {@link DynamoContractTest}. */
@Order(1)
class DynamoBrowserContractTest extends ClaimBrowserContract {
    private static final DynamoContractStores STORES = DynamoContractStores.in("browser_contract");

    DynamoBrowserContractTest() {
        super(STORES);
    }

    @AfterAll
    static void close() {
        STORES.close();
    }

    @Override
    protected ClaimBrowser browser() {
        return STORES.secondStore();
    }
}
