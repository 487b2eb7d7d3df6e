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
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Claims inside transactions of Spring, with the data sources that Spring wraps around others. */
@ParameterizedClass
@MethodSource("scenes")
class TransactionalSpringTest {
    record Scene(DatabaseKind kind, boolean lazy) {}

    private static final Operation<String> PAY = Operation.of("pay", Codec.text());
    private static final ClaimKey KEY = PAY.key("acme", "order-17");

    private final Scene scene;
    private ClaimDatabase database;
    private Effects effects;
    private DataSource managed;
    private TransactionAwareDataSourceProxy aware;
    private TransactionalClaims claims;
    private TransactionTemplate transaction;

    TransactionalSpringTest(Scene scene) {
        this.scene = scene;
    }

    static Stream<Scene> scenes() {
        return DatabaseKind.tested().stream()
                .filter(kind -> kind != DatabaseKind.SQLITE)
                .flatMap(kind -> kind == DatabaseKind.POSTGRESQL
                        ? Stream.of(new Scene(kind, false), new Scene(kind, true))
                        : Stream.of(new Scene(kind, true)));
    }

    @BeforeEach
    void open() {
        database = ClaimDatabase.on(scene.kind().sharedServer());
        DataSource pool = database.pool(4);
        Schema.of(pool).migrate();
        effects = Effects.in(database);
        managed = scene.lazy() ? new LazyConnectionDataSourceProxy(pool) : pool;
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
