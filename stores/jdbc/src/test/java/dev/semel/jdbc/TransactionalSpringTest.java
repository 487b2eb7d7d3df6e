// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.claim.ClaimKey;
import dev.semel.key.Secrets;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.MariaDbServer;
import dev.semel.testservers.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Claims inside transactions of Spring, with the data sources that Spring wraps around others. */
@ParameterizedClass
@EnumSource
class TransactionalSpringTest {
    enum DatabaseKind {
        POSTGRESQL_PLAIN,
        POSTGRESQL_LAZY,
        MARIADB_LAZY
    }

    private static final Operation<String> PAY = Operation.of("pay", Codec.text());
    private static final ClaimKey KEY = PAY.key("acme", "order-17");

    private final DatabaseKind kind;
    private ClaimDatabase database;
    private Effects effects;
    private DataSource managed;
    private TransactionAwareDataSourceProxy aware;
    private TransactionalClaims claims;
    private TransactionTemplate transaction;

    TransactionalSpringTest(DatabaseKind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        database = kind == DatabaseKind.MARIADB_LAZY
                ? ClaimDatabase.mariadb(MariaDbServer.shared())
                : ClaimDatabase.postgres(PostgresServer.shared());
        DataSource pool = database.pool(4);
        Schema.of(pool).migrate();
        effects = Effects.in(database);
        managed = kind == DatabaseKind.POSTGRESQL_PLAIN ? pool : new LazyConnectionDataSourceProxy(pool);
        aware = new TransactionAwareDataSourceProxy(managed);
        claims = TransactionalClaims.on(aware, Secrets.of("0123456789abcdef0123456789abcdef"));
        transaction = new TransactionTemplate(new DataSourceTransactionManager(managed));
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    private Outcome<String> pay(String name) {
        return claims.execute(DataSourceUtils.getConnection(managed), PAY, KEY, run -> {
            Effects.add(DataSourceUtils.getConnection(managed), name);
            return name;
        });
    }

    private Outcome<String> payIn(TransactionTemplate template, String name) {
        return template.execute(status -> pay(name));
    }

    @Test
    void springsCommitCommitsTheClaim() {
        assertThat(payIn(transaction, "first")).isEqualTo(new Outcome.Succeeded<>("first", false));
        assertThat(payIn(transaction, "second")).isEqualTo(new Outcome.Succeeded<>("first", true));
        assertThat(effects.counts()).isEqualTo(Map.of("first", 1));
    }

    @Test
    void row39_rollbackOnlyRemovesTheClaim() {
        transaction.executeWithoutResult(status -> {
            assertThat(pay("first")).isEqualTo(new Outcome.Succeeded<>("first", false));
            status.setRollbackOnly();
        });
        assertThat(effects.claims()).isEmpty();

        assertThat(payIn(transaction, "second")).isEqualTo(new Outcome.Succeeded<>("second", false));
        assertThat(effects.counts()).isEqualTo(Map.of("second", 1));
    }

    @Test
    void row39_anExceptionAfterTheClaimRemovesIt() {
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    pay("first");
                    throw new IllegalStateException("later");
                }))
                .hasMessage("later");
        assertThat(effects.claims()).isEmpty();
        assertThat(effects.counts()).isEmpty();
    }

    @Test
    void aConnectionOfTheAwareProxyIsSpringsOwn() {
        transaction.executeWithoutResult(status -> {
            try (Connection connection = aware.getConnection()) {
                assertThat(claims.execute(connection, PAY, KEY, run -> {
                            Effects.add(connection, "first");
                            return "first";
                        }))
                        .isEqualTo(new Outcome.Succeeded<>("first", false));
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
            assertThat(effects.claims()).as("closing the proxy commits nothing").isEmpty();
        });
        assertThat(effects.counts()).isEqualTo(Map.of("first", 1));
    }

    @Test
    void inTransactionInsideSpringsTransactionIsRefused_ratherThanCommittingIt() {
        transaction.executeWithoutResult(
                status -> assertThatThrownBy(() -> claims.inTransaction(PAY, KEY, (connection, run) -> "inner"))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("execute(connection, ...)"));
    }

    @Test
    void outsideAnyTransactionTheConnectionIsRefused() {
        assertThatThrownBy(() -> pay("first"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("@Transactional");
    }

    @Test
    void aNestedTransactionThatRollsBackRemovesTheClaim() {
        DataSourceTransactionManager manager = new DataSourceTransactionManager(managed);
        TransactionTemplate nested = new TransactionTemplate(manager);
        nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
        new TransactionTemplate(manager).executeWithoutResult(status -> {
            nested.executeWithoutResult(inner -> {
                pay("first");
                inner.setRollbackOnly();
            });
            assertThat(pay("second")).isEqualTo(new Outcome.Succeeded<>("second", false));
        });
        assertThat(effects.counts()).isEqualTo(Map.of("second", 1));
    }

    @Test
    void requiresNewIsInProgressAtOnce_whileTheOuterTransactionIsOpen() {
        DataSourceTransactionManager manager = new DataSourceTransactionManager(managed);
        TransactionTemplate separate = new TransactionTemplate(manager);
        separate.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        new TransactionTemplate(manager).executeWithoutResult(status -> {
            pay("first");
            assertThat(payIn(separate, "second")).isInstanceOf(Outcome.InProgress.class);
        });
        assertThat(effects.counts()).isEqualTo(Map.of("first", 1));
    }
}
