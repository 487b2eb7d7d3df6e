// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.Status;
import dev.semel.spi.Command;
import dev.semel.spi.Verdict;
import dev.semel.testkit.Commands;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A data source that takes part in the caller's transaction: the store must neither commit nor roll back that
 * transaction.
 */
@ParameterizedClass
@EachDatabase(except = DatabaseKind.SQLITE)
class OpenTransactionTest {
    private final DatabaseKind kind;
    private ClaimDatabase database;
    private DataSource pool;
    private Effects effects;
    private JdbcClaimStore store;
    private TransactionTemplate transaction;

    @TempDir
    private Path folder;

    OpenTransactionTest(DatabaseKind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        database = ClaimDatabase.of(kind, folder.resolve("claims.db"));
        pool = database.pool(4);
        effects = Effects.in(database);
        store = JdbcClaimStore.migrating(new TransactionAwareDataSourceProxy(pool));
        transaction = new TransactionTemplate(new DataSourceTransactionManager(pool));
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    private static ClaimRef someRef() {
        byte[] digest = new byte[Digest.LENGTH];
        new Random().nextBytes(digest);
        return new ClaimRef("acme", new Digest(digest));
    }

    /** Adds a row in Spring's transaction. */
    private void add(String name) {
        try {
            Effects.add(DataSourceUtils.getConnection(pool), name);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void refused(Runnable call) {
        transaction.executeWithoutResult(status -> {
            add("the caller's");
            assertThatThrownBy(call::run)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("TransactionAwareDataSourceProxy")
                    .hasMessageContaining("Give Semel the pool itself");
            add("the caller's again");
            status.setRollbackOnly();
        });
        assertThat(effects.counts()).as("rows that the caller rolled back").isEmpty();
    }

    @Test
    void noCallOfTheStoreEndsTheCallersTransaction() {
        refused(() -> store.apply(List.of(Commands.insert(someRef()))));
        refused(() -> store.apply(List.of(Commands.insert(someRef()), Commands.insert(someRef()))));
        refused(() -> store.apply(List.of(Commands.insert(someRef(), List.of(someRef())))));
        refused(() -> store.read(List.of(someRef())));
        refused(() -> store.sweep(10));
        refused(store::advance);
        refused(store::current);
        refused(() -> store.counts("acme"));
    }

    @Test
    void aMigrationDoesNotEndTheCallersTransaction() {
        refused(() -> Schema.of(new TransactionAwareDataSourceProxy(pool)).migrate());
    }

    @Test
    void outsideATransactionTheSameDataSourceWorks() {
        assertThat(store.apply(List.of(Commands.insert(someRef()))).get(0)).isInstanceOf(Verdict.Applied.class);
    }

    /** Such a pool has no open transaction, although auto-commit is off. */
    @Test
    void aPoolWithAutoCommitOffWorksAndStaysSo() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.url());
        config.setUsername(database.user());
        config.setPassword(database.password());
        config.setMaximumPoolSize(1);
        config.setAutoCommit(false);
        try (HikariDataSource manual = new HikariDataSource(config)) {
            JdbcClaimStore second = JdbcClaimStore.on(manual);
            Command.Insert insert = Commands.insert(someRef());
            Command.Insert other = Commands.insert(someRef());
            assertThat(second.apply(List.of(insert, other))).allMatch(Verdict.Applied.class::isInstance);
            assertThat(second.apply(List.of(Commands.insert(someRef(), List.of(someRef())))))
                    .allMatch(Verdict.Applied.class::isInstance);
            assertThat(second.apply(List.of(new Command.Settle(
                            insert.ref(), insert.token(), Status.SUCCEEDED, Commands.text("done"), null))))
                    .allMatch(Verdict.Applied.class::isInstance);
            second.sweep(10);
            second.advance();
            assertThat(store.read(List.of(insert.ref())).get(insert.ref()).status())
                    .isEqualTo(Status.SUCCEEDED);
            try (Connection connection = manual.getConnection()) {
                assertThat(connection.getAutoCommit()).isFalse();
                Effects.add(connection, "manual");
                connection.rollback();
            }
            assertThat(effects.counts()).isEqualTo(Map.of());
        }
    }
}
