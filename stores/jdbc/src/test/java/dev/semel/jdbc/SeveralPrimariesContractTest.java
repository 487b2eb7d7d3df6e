// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.testservers.MySqlCluster;
import org.junit.jupiter.api.Tag;

@Tag("cluster")
class SeveralPrimariesContractTest extends ClusterContract {
    SeveralPrimariesContractTest() {
        super(MySqlCluster.Mode.SEVERAL_PRIMARIES);
    }
}
