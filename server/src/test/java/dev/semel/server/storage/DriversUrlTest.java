// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.storage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the driver is given for a URL of the settings. */
class DriversUrlTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    jdbc:mariadb://a/semel                           | jdbc:mariadb://a/semel?useServerPrepStmts=true&cachePrepStmts=true
                    jdbc:mariadb://a/semel?sslMode=trust             | jdbc:mariadb://a/semel?sslMode=trust&useServerPrepStmts=true&cachePrepStmts=true
                    jdbc:mysql://a/semel                             | jdbc:mariadb://a/semel
                    jdbc:mariadb://a/semel?useServerPrepStmts=false  | jdbc:mariadb://a/semel?useServerPrepStmts=false
                    jdbc:mariadb://a/semel?useserverprepstmts=true   | jdbc:mariadb://a/semel?useserverprepstmts=true
                    jdbc:mariadb://a/semel?cachePrepStmts=false      | jdbc:mariadb://a/semel?cachePrepStmts=false
                    jdbc:postgresql://a/semel                        | jdbc:postgresql://a/semel
                    """)
    void statementsArePreparedOnMariaDbUnlessTheUrlDecides(String url, String expected) {
        assertThat(DatabasePool.driversUrl(url)).isEqualTo(expected);
    }
}
