// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.StoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What the reads of a session must see on a member of a MySQL group. A settlement that finds no row of its owner writes nothing, so
 * the group cannot refuse its commit. On a member that has not yet applied what another one confirmed, the owner would be told that
 * it has lost the claim, and the work would run again.
 *
 * <p>With one primary, only a new primary can be behind. With several primaries, each can.
 */
final class GroupConsistency {
    private static final String VARIABLES = "SHOW VARIABLES LIKE 'group_replication_%'";

    private static final String AFTER_FAILOVER = "BEFORE_ON_PRIMARY_FAILOVER";

    private static final Set<String> CONSISTENT = Set.of("BEFORE", "BEFORE_AND_AFTER");

    private GroupConsistency() {}

    static void require(Connection connection) throws SQLException {
        Map<String, String> variables = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(VARIABLES)) {
            while (rows.next()) {
                variables.put(rows.getString(1).toLowerCase(Locale.ROOT), String.valueOf(rows.getString(2)));
            }
        }
        if (variables.getOrDefault("group_replication_group_name", "").isEmpty()) {
            // The plugin is not there, or has no group.
            return;
        }
        String consistency = variables.getOrDefault("group_replication_consistency", "EVENTUAL");
        boolean onePrimary = "ON".equals(variables.get("group_replication_single_primary_mode"));
        if (onePrimary ? consistency.equals("EVENTUAL") : !CONSISTENT.contains(consistency)) {
            String needed = onePrimary ? AFTER_FAILOVER : "BEFORE";
            throw new StoreException(
                    StoreException.Kind.REJECTED,
                    ("This server is a member of a group with %s, and group_replication_consistency is %s: after a failover or on"
                                    + " another member, an owner could be told that it has lost its claim, and the work would run"
                                    + " again. Add sessionVariables=group_replication_consistency='%s' to the JDBC URL, or set it on"
                                    + " all members")
                            .formatted(onePrimary ? "one primary" : "several primaries", consistency, needed));
        }
    }
}
