// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.util.Map;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
class MariaDbServerTest extends DatabaseServerContract {

    @Override
    DatabaseServer start(Map<String, String> settings) {
        return MariaDbServer.start(settings);
    }

    @Override
    String valueOf(String setting) {
        return "SELECT @@%s".formatted(setting);
    }

    @Override
    Map<String, String> durable() {
        return Map.of("innodb_flush_log_at_trx_commit", "1");
    }

    @Override
    Map<String, String> notDurable() {
        return Map.of("innodb_flush_log_at_trx_commit", "2");
    }
}
