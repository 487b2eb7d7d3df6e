// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.StoredResult;
import dev.semel.spi.Command;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Settles many claims on MariaDB with one update and without a temporary table. Each row finds by its key the tenant and the
 * token that it must have, and its new values. Rows are found by the primary key, and so locked in its order.
 */
final class MariaDbSettling {
    private static final String UPDATE = """
            UPDATE idempotency_keys FORCE INDEX (PRIMARY)
            SET status = {status}, result_type = {result_type}, result = {result}, reason = {reason},
                completed_at = UTC_TIMESTAMP(6)
            WHERE key_hash IN ({each}) AND tenant = {tenant} AND claim_nonce = {nonce}
              AND status IN ('IN_PROGRESS', 'UNKNOWN') AND alias_of IS NULL
            """;

    /** A value that is the same for all rows, and one that depends on the row's key. */
    private static final String SAME = "?";

    private static final String BY_KEY = "ELT(FIELD(key_hash, {each}), {each})";

    private final List<Command.Settle> settlements;
    private final int places;
    private final List<@Nullable Object> parameters = new ArrayList<>();
    private String sql;

    private MariaDbSettling(String prefix, List<Command.Settle> settlements, int places) {
        this.settlements = settlements;
        this.places = places;
        this.sql = prefix + UPDATE;
        set("{status}", settle -> settle.status().name());
        set(
                "{result_type}",
                settle -> settle.result() == null ? null : settle.result().type());
        set("{result}", MariaDbSettling::bytes);
        set("{reason}", Command.Settle::reason);
        addKeys();
        set("{tenant}", settle -> settle.ref().tenant());
        set("{nonce}", settle -> settle.token().bytes());
        sql = sql.replace("{each}", String.join(", ", Collections.nCopies(places, "?")));
    }

    /**
     * Returns how many claims were settled: those that are open and still have the token.
     *
     * @param settlements of different claims
     * @param places for how many claims the statement has parameters, at least as many
     */
    static int settle(Connection connection, String prefix, List<Command.Settle> settlements, int places)
            throws SQLException {
        MariaDbSettling settling = new MariaDbSettling(prefix, settlements, places);
        try (PreparedStatement statement = connection.prepareStatement(settling.sql)) {
            for (int i = 0; i < settling.parameters.size(); i++) {
                statement.setObject(i + 1, settling.parameters.get(i));
            }
            return statement.executeUpdate();
        }
    }

    private void set(String place, Function<Command.Settle, @Nullable Object> value) {
        List<@Nullable Object> values = values(value);
        Object first = values.get(0);
        if (settlements.size() == 1 || values.stream().allMatch(other -> Objects.equals(other, first))) {
            sql = sql.replace(place, SAME);
            parameters.add(first);
            return;
        }
        sql = sql.replace(place, BY_KEY);
        addKeys();
        parameters.addAll(values);
        // No row uses these: the last key is found at its first place.
        parameters.addAll(Collections.nCopies(places - values.size(), null));
    }

    private List<@Nullable Object> values(Function<Command.Settle, @Nullable Object> value) {
        List<@Nullable Object> values = new ArrayList<>(settlements.size());
        settlements.forEach(settle -> values.add(value.apply(settle)));
        return values;
    }

    private void addKeys() {
        parameters.addAll(
                PreparedSizes.filled(values(settle -> settle.ref().digest().bytes()), places));
    }

    private static byte @Nullable [] bytes(Command.Settle settle) {
        StoredResult result = settle.result();
        return result == null ? null : result.bytes();
    }
}
