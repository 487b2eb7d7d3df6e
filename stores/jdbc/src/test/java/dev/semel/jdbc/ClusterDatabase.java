// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.testservers.FreshDatabase;
import dev.semel.testservers.MySqlCluster;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** An empty database on all nodes of a cluster, with the schema. */
final class ClusterDatabase implements AutoCloseable {
    private final MySqlCluster cluster;
    private final int primary;
    private final ClaimDatabase database;

    private ClusterDatabase(MySqlCluster cluster) {
        this.cluster = cluster;
        this.primary = cluster.writable().get(0);
        this.database = ClaimDatabase.mariadb(cluster.node(primary));
    }

    static ClusterDatabase of(MySqlCluster cluster) {
        ClusterDatabase opened = new ClusterDatabase(cluster);
        JdbcClaimStore.migrating(opened.database.defaultPool(2));
        cluster.awaitApplied(opened.primary);
        return opened;
    }

    /** The database by way of the primary, or of the first of several. */
    ClaimDatabase claims() {
        return database;
    }

    /** The name of the database. */
    String name() {
        String url = database.url();
        return url.substring(url.lastIndexOf('/') + 1);
    }

    /** Creates a table for effects, on all nodes. */
    Effects effects() {
        Effects effects = Effects.inGroup(database);
        cluster.awaitApplied(primary);
        return effects;
    }

    /** The nodes that accept writes. */
    int[] writable() {
        return cluster.writable().stream().mapToInt(Integer::intValue).toArray();
    }

    /** A pool of connections to this node, with these options of the driver. */
    DataSource pool(int node, int size, String options) {
        return database.pool(url(node) + options, size, FreshDatabase.LONG_WAIT);
    }

    /** A pool of connections to this node, at the isolation level that claims in a transaction need. */
    DataSource pool(int node, int size) {
        return pool(node, size, "?sessionVariables=transaction_isolation='READ-COMMITTED'");
    }

    private String url(int node) {
        return database.url().replace(":" + cluster.port(primary) + "/", ":" + cluster.port(node) + "/");
    }

    /** One store for each node that accepts writes, or for the only one two. */
    JdbcClaimStore[] stores(int connections) {
        int[] nodes = writable();
        return IntStream.range(0, Math.max(2, nodes.length))
                .mapToObj(i -> JdbcClaimStore.on(pool(nodes[i % nodes.length], connections)))
                .toArray(JdbcClaimStore[]::new);
    }

    @Override
    public void close() throws Exception {
        database.close();
    }
}
