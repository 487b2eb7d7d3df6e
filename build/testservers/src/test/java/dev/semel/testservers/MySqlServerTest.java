// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("mysql")
class MySqlServerTest extends DatabaseServerContract {

    @Override
    DatabaseServer start(Map<String, String> settings) {
        return MySqlServer.start(settings);
    }

    @Override
    String valueOf(String setting) {
        return "SELECT @@%s".formatted(setting);
    }

    @Override
    Map<String, String> durable() {
        return Map.of("innodb_flush_log_at_trx_commit", "1", "sync_binlog", "1");
    }

    @Override
    Map<String, String> notDurable() {
        return Map.of("innodb_flush_log_at_trx_commit", "2");
    }

    @Test
    void namesTheMissingPackages() {
        IllegalStateException failure =
                new IllegalStateException("mysqld --initialize failed: mysqld: error while loading"
                        + " shared libraries: libaio.so.1: cannot open shared object file");

        assertThat(MySqlServer.explained(failure))
                .hasMessageContaining("libaio1")
                .hasCause(failure);
        assertThat(MySqlServer.explained(new IllegalStateException("other"))).hasMessage("other");
    }
}
