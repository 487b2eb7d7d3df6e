// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.jdbc.GroupedClaims;
import dev.semel.jdbc.TransactionalClaims;
import dev.semel.key.Secrets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletionStage;
import javax.sql.DataSource;

/** A ledger on PostgreSQL whose entries are committed together with their keys, one by one and grouped. */
final class TransactionCalls implements AutoCloseable {
    static final String LEDGER = "CREATE TABLE bench_ledger (entry text NOT NULL, amount bigint NOT NULL)";

    private static final Operation<String> POST = Operation.of("bench", Codec.text());

    private final TransactionalClaims claims;
    private final GroupedClaims<Entry, String> groups;
    private final MeasuredKeys keys = new MeasuredKeys();

    TransactionCalls(DataSource pool) {
        this.claims = TransactionalClaims.on(pool, Secrets.of("0123456789abcdef0123456789abcdef"));
        // Completions are short here. Another thread for each would measure the change of threads.
        this.groups = GroupedClaims.on(claims, POST, TransactionCalls::insert, Runnable::run);
    }

    CompletionStage<?> groupedAsync(long number) {
        String key = keys.firstTime(number);
        return groups.submit(POST.key("bench", key), new Entry(key, number), MeasuredResult.TEXT)
                .thenAccept(TransactionCalls::require);
    }

    void oneByOne(long number) {
        String key = keys.firstTime(number);
        require(claims.inTransaction(POST, POST.key("bench", key), (connection, run) -> {
            insert(connection, List.of(new Entry(key, number)));
            return MeasuredResult.TEXT;
        }));
    }

    private static void insert(Connection connection, List<Entry> entries) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "INSERT INTO bench_ledger (entry, amount) SELECT * FROM unnest(?::text[], ?::bigint[])")) {
            Object[] names = entries.stream().map(Entry::name).toArray();
            Object[] amounts = entries.stream().map(Entry::amount).toArray();
            statement.setArray(1, connection.createArrayOf("text", names));
            statement.setArray(2, connection.createArrayOf("bigint", amounts));
            statement.executeUpdate();
        }
    }

    private static void require(Outcome<String> outcome) {
        if (!outcome.equals(new Outcome.Succeeded<>(MeasuredResult.TEXT, false))) {
            throw new IllegalStateException("Unexpected: " + outcome);
        }
    }

    @Override
    public void close() {
        groups.close();
    }

    private record Entry(String name, long amount) {}
}
