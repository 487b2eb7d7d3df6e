// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class PostgresServerTest extends DatabaseServerContract {

    @Override
    DatabaseServer start(Map<String, String> settings) {
        return PostgresServer.start(settings);
    }

    @Override
    String valueOf(String setting) {
        return "SELECT current_setting('%s')".formatted(setting);
    }

    @Override
    Map<String, String> durable() {
        return Map.of("fsync", "on", "synchronous_commit", "on");
    }

    @Override
    Map<String, String> notDurable() {
        return Map.of("fsync", "off");
    }

    @Test
    void isSharedByAllWhoAsk() {
        assertThat(PostgresServer.shared()).isSameAs(PostgresServer.shared());
    }
}
