// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.testservers.MySqlCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** All contracts on a cluster: on its only primary, or with each store on a primary of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ClusterContract extends JdbcStoreContract {
    private final MySqlCluster.Mode mode;
    private ClusterDatabase database;
    private Opened opened;

    ClusterContract(MySqlCluster.Mode mode) {
        this.mode = mode;
    }

    @BeforeAll
    void open() {
        database = ClusterDatabase.of(MySqlCluster.shared(mode));
        JdbcClaimStore[] stores = database.stores(8);
        opened = new Opened(database.claims(), stores[0], stores[1]);
    }

    @AfterAll
    void close() throws Exception {
        database.close();
    }

    @Override
    Opened opened() {
        return opened;
    }
}
