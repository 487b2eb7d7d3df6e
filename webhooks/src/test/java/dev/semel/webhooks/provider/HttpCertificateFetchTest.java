// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.semel.webhooks.TricklingServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Fetched certificates are limited in size and time. */
class HttpCertificateFetchTest {
    @Test
    void aBodyWithoutALengthIsBounded() {
        try (TricklingServer endless = TricklingServer.of(8_000, 0)) {
            assertThat(new HttpCertificateFetch().fetch(endless.uri()).toCompletableFuture())
                    .failsWithin(Duration.ofSeconds(20));
            assertThat(endless.closed())
                    .succeedsWithin(Duration.ofSeconds(10))
                    .satisfies(written -> assertThat(written).isLessThan(16 * 1024 * 1024));
        }
    }

    @Test
    void aSlowBodyIsCancelledAfterTheTimeOut() {
        try (TricklingServer trickling = TricklingServer.of(1, 20)) {
            assertThat(new HttpCertificateFetch().fetch(trickling.uri()).toCompletableFuture())
                    .failsWithin(Duration.ofSeconds(20));
            assertThat(trickling.closed()).succeedsWithin(Duration.ofSeconds(10));
        }
    }

    @Test
    void aSmallBodyIsFetched() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(exchange.getRequestURI().getPath().equals("/none") ? 404 : 200, 0);
            exchange.getResponseBody().write(new byte[64 * 1024]);
            exchange.close();
        });
        server.start();
        try {
            String base = "http://127.0.0.1:" + server.getAddress().getPort();
            HttpCertificateFetch fetch = new HttpCertificateFetch();
            assertThat(fetch.fetch(URI.create(base + "/cert")).toCompletableFuture())
                    .succeedsWithin(Duration.ofSeconds(10))
                    .satisfies(pem -> assertThat(pem).hasSize(64 * 1024));
            assertThat(fetch.fetch(URI.create(base + "/none")).toCompletableFuture())
                    .failsWithin(Duration.ofSeconds(10));
        } finally {
            server.stop(0);
        }
    }
}
