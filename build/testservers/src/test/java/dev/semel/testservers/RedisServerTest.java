// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RedisServerTest {

    private RedisServer server;

    @BeforeEach
    void start() {
        server = RedisServer.start();
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void answersThoseWhoKnowThePassword() throws IOException {
        assertThat(call(server, "PING")).isEqualTo("PONG");
        assertThat(server.uri()).isEqualTo("redis://:%s@127.0.0.1:%d", server.password(), server.port());
        assertThatThrownBy(() -> new RedisConnection(server.port(), "wrong")).isInstanceOf(IOException.class);
    }

    @Test
    void keepsWhatItAcknowledgedThroughKillAndRestart() throws IOException {
        call(server, "SET", "kept", "42");

        server.kill();
        assertThatThrownBy(() -> call(server, "PING")).isInstanceOf(IOException.class);
        server.restart();

        assertThat(call(server, "GET", "kept")).isEqualTo("42");
    }

    @Test
    void forgetsWhenTheSettingsSaySo() throws IOException {
        try (RedisServer forgetful = RedisServer.start(Map.of("appendonly", "no"))) {
            call(forgetful, "SET", "lost", "42");
            forgetful.kill();
            forgetful.restart();

            assertThat(call(forgetful, "EXISTS", "lost")).isEqualTo("0");
        }
    }

    @Test
    void leavesNothingBehindWhenClosed() {
        RedisServer second = RedisServer.start();
        ProcessTree tree = ProcessTree.of(ProcessHandle.of(second.pid()).orElseThrow());
        Path data = second.dataDirectory();
        assertThat(second.port()).isNotEqualTo(server.port());

        second.close();

        assertThat(tree.isGone()).isTrue();
        assertThat(data.getParent()).doesNotExist();
    }

    private static String call(RedisServer server, String... words) throws IOException {
        try (RedisConnection connection = new RedisConnection(server.port(), server.password())) {
            return connection.call(words);
        }
    }
}
