// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.StoreException.Kind;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlFailuresTest {
    @ParameterizedTest
    @CsvSource({
        "40001, 0, BUSY",
        "40P01, 0, BUSY",
        "55P03, 0, BUSY",
        "57014, 0, BUSY",
        "40001, 1213, BUSY",
        "HY000, 1205, BUSY",
        "23514, 0, REJECTED",
        "22001, 1406, REJECTED",
        "42P01, 0, REJECTED",
        "42S02, 1146, REJECTED",
        "08S01, 1153, REJECTED",
        "08006, 0, UNREACHABLE",
        "08S01, 0, UNREACHABLE",
        "57P01, 0, UNREACHABLE",
        "57P03, 0, UNREACHABLE",
        "53300, 0, UNREACHABLE",
        "25006, 0, UNREACHABLE",
        "HY000, 3572, BUSY",
        "HY000, 3819, REJECTED",
        "HY000, 1366, REJECTED",
        "HY000, 1290, UNREACHABLE",
        "HY000, 1665, REJECTED",
        "42000, 1461, BUSY",
        "42000, 1226, BUSY",
        "40000, 3101, BUSY",
        "HY000, 3797, BUSY",
        "HY000, 3100, UNREACHABLE",
        "HY000, 3796, UNREACHABLE",
        "HY000, 1180, UNREACHABLE",
        ", 0, UNREACHABLE",
    })
    void row12_theStateDecides(String state, int code, Kind kind) {
        assertThat(SqlFailures.kindOf(new SQLException("any message", state, code)))
                .isEqualTo(kind);
    }

    @Test
    void aCommitThatAGroupRefusesIsSentAgain() {
        // The database says with 3101 and 1180 that it has rolled back. 1180 has other causes too. After 3100, the
        // commit may still
        // happen.
        assertThat(List.of(1213, 3101, 1180))
                .allMatch(code -> SqlFailures.isSentAgain(new SQLException("any message", "HY000", code)));
        assertThat(List.of(0, 3100, 1290))
                .noneMatch(code -> SqlFailures.isSentAgain(new SQLException("any message", "HY000", code)));
    }

    @Test
    void aPoolThatIsEmptyIsUnreachable() {
        assertThat(SqlFailures.kindOf(new SQLTransientConnectionException("pool", "22000")))
                .isEqualTo(Kind.UNREACHABLE);
    }

    @Test
    void theMessageTellsHowToFixAMistakeOfTheSettings() {
        assertThat(SqlFailures.translate(new SQLException("INSERT command denied", "42000", 1142)))
                .hasMessageContaining("needs SELECT, INSERT, UPDATE and DELETE");
        assertThat(SqlFailures.translate(new SQLException("permission denied for table idempotency_keys", "42501")))
                .hasMessageContaining("needs SELECT, INSERT, UPDATE and DELETE");
        assertThat(SqlFailures.translate(new SQLException("No database selected", "3D000", 1046)))
                .hasMessageContaining("must name a database");
        assertThat(SqlFailures.translate(new SQLException("read-only", "HY000", 1290)))
                .hasMessageContaining("connect to the primary");
        assertThat(SqlFailures.translate(new SQLException("row-based logging", "HY000", 1665)))
                .hasMessageContaining("binlog_format = ROW");
        assertThat(SqlFailures.translate(new SQLException("cannot be used on the current member state", "HY000", 3796)))
                .hasMessageContaining("no working member of its group");
        assertThat(SqlFailures.translate(new SQLTransientConnectionException("Connection is not available")))
                .hasMessageContaining("the pool is too small");
    }

    @Test
    void theDatabasesOwnMessageStaysOutOfOurs() {
        SQLException failure = new SQLException("Key (tenant)=(acme) already exists", "23505");

        assertThat(SqlFailures.translate(failure))
                .hasMessageNotContaining("acme")
                .hasMessageContaining("23505");
    }
}
