// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Outcome;
import dev.semel.Rejection;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@EachDatabase
class TransactionalRejectionTest extends TransactionalCase {
    TransactionalRejectionTest(DatabaseKind kind) {
        super(kind);
    }

    private Outcome<String> refuse(Connection connection) {
        return claims.execute(connection, PAY, KEY, run -> {
            Effects.add(connection, "attempt of a payment");
            return run.reject("INSUFFICIENT_FUNDS", "5 are missing");
        });
    }

    @Test
    void theWritesAndTheRejectionAreOneCommit() throws SQLException {
        Connection first = begin();
        Rejection rejection = ((Outcome.Rejected<String>) refuse(first)).rejection();
        first.commit();
        end(first);

        Connection second = begin();
        assertThat(refuse(second)).isEqualTo(new Outcome.Rejected<>(rejection, true));
        end(second);
        assertThat(rejection.details(String.class)).contains("5 are missing");
        assertThat(effects.counts()).isEqualTo(Map.of("attempt of a payment", 1));
    }

    @Test
    void aRollbackUndoesBoth() throws SQLException {
        Connection first = begin();
        refuse(first);
        end(first);

        Connection second = begin();
        assertThat(pay(second, "paid")).isEqualTo(new Outcome.Succeeded<>("paid", false));
        second.commit();
        end(second);
        assertThat(effects.counts()).isEqualTo(Map.of("paid", 1));
    }

    @Test
    void inTransactionCommitsIt() {
        Outcome<String> first = claims.inTransaction(PAY, KEY, (connection, run) -> {
            Effects.add(connection, "attempt of a payment");
            return run.reject("CLOSED");
        });
        Outcome<String> second = claims.inTransaction(PAY, KEY, (connection, run) -> "never");

        assertThat(first).isInstanceOf(Outcome.Rejected.class);
        assertThat(second.isReplayed()).isTrue();
        assertThat(effects.counts()).isEqualTo(Map.of("attempt of a payment", 1));
    }
}
