// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.testservers.MySqlCluster;
import org.junit.jupiter.api.Tag;

@Tag("cluster")
class OnePrimaryContractTest extends ClusterContract {
    OnePrimaryContractTest() {
        super(MySqlCluster.Mode.ONE_PRIMARY);
    }
}
