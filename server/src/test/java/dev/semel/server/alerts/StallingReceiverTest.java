// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.alerts;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.semel.server.config.AlertSettings;
import dev.semel.server.config.SecretText;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class StallingReceiverTest {
    /** A receiver that begins an answer and never ends it must not stop all further alerts. */
    @Test
    @Timeout(30)
    void anAnswerWithoutAnEndIsAFailure() throws Exception {
        HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write('x');
            exchange.getResponseBody().flush();
        });
        receiver.start();
        try {
            AlertWebhook webhook = new AlertWebhook(
                    new AlertSettings.Webhook(
                            URI.create(
                                    "http://127.0.0.1:" + receiver.getAddress().getPort() + "/"),
                            new SecretText("a-secret-of-the-alerts")),
                    Duration.ofSeconds(2));

            assertThatThrownBy(() -> webhook.send(new byte[] {'{', '}'})).isInstanceOf(IOException.class);
        } finally {
            receiver.stop(0);
        }
    }
}
