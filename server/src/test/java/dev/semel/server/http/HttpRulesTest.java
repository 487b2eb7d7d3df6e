// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.server.InProcessServer;
import dev.semel.server.InProcessServer.Reply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules for every request, in development mode. */
class HttpRulesTest {
    private static final String POST = "POST /v1/claims HTTP/1.1\r\nHost: 127.0.0.1\r\n";

    @TempDir
    static Path folder;

    private static InProcessServer server;

    /**
     * A server with short time limits. Tests that are not about time use the other one, so that a slow machine does not
     * affect them.
     */
    private static InProcessServer strict;

    @TempDir
    static Path elsewhere;

    @BeforeAll
    static void start() {
        server = InProcessServer.in(
                folder,
                "limits: {body_bytes: 4096, headers_seconds: 600, body_seconds: 600, idle_seconds: 600}",
                Map.of());
        strict = InProcessServer.in(
                elsewhere, "limits: {headers_seconds: 1, body_seconds: 1, idle_seconds: 2}", Map.of());
    }

    @AfterAll
    static void stop() {
        strict.close();
        server.close();
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1,200",
        "127.0.0.1:80,200",
        "localhost:1,200",
        "[::1]:8080,200",
        "evil.com,403",
        "localhost.evil.com,403",
        "127.0.0.1.evil.com,403",
        "10.0.0.1,403",
        "127.0.0.1:80:80@evil,400",
        "127.0.0.1@evil.com,400",
        "[::1]x,400",
        "[::1]:8080x,400",
        "localhost:,400",
        "localhost:80 evil,400",
        "localhost:x,400"
    })
    void onlyALoopbackHostIsAccepted(String host, int status) throws IOException {
        try (RawClient client = new RawClient(server.port())) {
            client.send("GET /health/live HTTP/1.1\r\nHost: %s\r\n\r\n".formatted(host));

            assertThat(client.until("}")).startsWith("HTTP/1.1 " + status);
        }
    }

    @Test
    void onlyItsOwnPagesAreAccepted() {
        String own = "http://127.0.0.1:" + server.port();

        assertThat(server.get("/health/live", "Origin", own).status()).isEqualTo(200);
        for (String foreign : List.of("http://evil.com", "https://127.0.0.1:" + server.port(), "null", own + "1")) {
            Reply reply = server.get("/health/live", "Origin", foreign);
            assertThat(reply.status()).as(foreign).isEqualTo(403);
            assertThat(reply.problem()).isEqualTo("not-local");
        }
        assertThat(server.get("/docs", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors")
                        .status())
                .isEqualTo(403);
        assertThat(server.get("/docs", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate")
                        .status())
                .isEqualTo(200);
    }

    /** A form on another site makes the browser navigate here. Not all browsers send Origin with it. */
    @Test
    void aPageOfAnotherSiteMayLinkHereButNotSendAnything() {
        String claim = "{\"scope\":\"s\",\"key\":\"navigated\"}";
        for (String site : List.of("cross-site", "same-site", "unheard-of")) {
            Reply posted = server.post("/v1/claims", claim, "Sec-Fetch-Site", site, "Sec-Fetch-Mode", "navigate");
            assertThat(posted.status()).as(site).isEqualTo(403);
            assertThat(posted.problem()).isEqualTo("not-local");
            assertThat(server.get("/v1/inbox", "Sec-Fetch-Site", site).status())
                    .as("%s, not navigating", site)
                    .isEqualTo(403);
            assertThat(server.get("/docs", "Sec-Fetch-Site", site, "Sec-Fetch-Mode", "navigate")
                            .status())
                    .as("%s, by a link", site)
                    .isEqualTo(200);
        }
        for (String own : List.of("same-origin", "none")) {
            assertThat(server.get("/v1/inbox", "Sec-Fetch-Site", own).status()).isEqualTo(200);
        }
        assertThat(server.post("/v1/claims", claim, "Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "cors")
                        .status())
                .as("it was not claimed before")
                .isEqualTo(201);
    }

    @Test
    void itListensOnNoOtherAddress() throws IOException {
        for (NetworkInterface network : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            for (InetAddress address : Collections.list(network.getInetAddresses())) {
                if (!address.isLoopbackAddress()) {
                    assertThatThrownBy(() -> new Socket(address, server.port()).close())
                            .as("%s", address)
                            .isInstanceOf(IOException.class);
                }
            }
        }
    }

    @Test
    void theSecretIsReadableByItsOwnerAlone() throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("data/secret"))))
                .isEqualTo("rw-------");
    }

    @Test
    void unknownPathsAndMethodsAreProblems() {
        assertThat(server.get("/nothing").problem()).isEqualTo("not-found");
        Reply wrong = server.get("/v1/claims");
        assertThat(wrong.status()).isEqualTo(405);
        assertThat(wrong.problem()).isEqualTo("method-not-allowed");
        assertThat(wrong.header("Allow")).isEqualTo("POST");
        Reply head = server.send(server.request("/health")
                .method("HEAD", HttpRequest.BodyPublishers.noBody())
                .build());
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
    }

    /** Ambiguous or invalid requests, with the expected status. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Content-Length: 2~Transfer-Encoding: chunked~~0~~    | 400
            Content-Length: 2~Content-Length: 3~~{}              | 400
            Content-Length: +2~~{}                               | 400
            Transfer-Encoding: xchunked~~0~~                     | 400
            Transfer-Encoding: gzip, chunked~~0~~                | 400
            Transfer-Encoding : chunked~~0~~                     | 400
            Content-Encoding: gzip~Content-Length: 2~~{}         | 415
            Expect: magic~Content-Length: 2~~{}                  | 417
            Host: localhost~Content-Length: 2~~{}                | 400
            X-Organization-Id: a~X-Organization-Id: b~Content-Length: 2~~{} | 400
            Content-Length: 5000~~                               | 413
            """)
    void ambiguousRequestsAreRefusedAndTheConnectionEnds(String rest, int status) throws IOException {
        try (RawClient client = new RawClient(server.port())) {
            client.send(POST + rest.replace("~", "\r\n"));

            assertThat(client.untilClosed())
                    .startsWith("HTTP/1.1 " + status)
                    .contains("application/problem+json", "Connection: close");
        }
    }

    @Test
    void dataAfterARefusedRequestIsIgnored() throws IOException {
        String hidden = "GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
        for (String way : List.of(
                "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
                "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}")) {
            try (RawClient client = new RawClient(server.port())) {
                client.send(POST + way + hidden);

                assertThat(client.untilClosed()).containsOnlyOnce("HTTP/1.1");
            }
        }
    }

    @Test
    void tooLongLinesAndHeadersAreRefused() throws IOException {
        try (RawClient client = new RawClient(server.port())) {
            client.send("GET /%s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".formatted("a".repeat(9_000)));
            assertThat(client.untilClosed()).contains(" 414 ", "uri-too-long");
        }
        try (RawClient client = new RawClient(server.port())) {
            client.send("GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX: %s\r\n\r\n".formatted("a".repeat(20_000)));
            assertThat(client.untilClosed()).contains(" 431 ", "headers-too-large", "limits.header_bytes");
        }
        try (RawClient client = new RawClient(server.port())) {
            client.send("GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n%s\r\n".formatted("a:b\r\n".repeat(128)));
            assertThat(client.untilClosed()).contains(" 431 ", "more than 128 header lines (limits.header_lines)");
        }
    }

    @ParameterizedTest
    @CsvSource({"'GET /health HTTP/1.1~Host: 127.0.0.1~ folded~~', next line", "'GET  /health HTTP/1.1~~', one space"})
    void anAmbiguousHeadIsRefusedWithTheReason(String head, String reason) throws IOException {
        try (RawClient client = new RawClient(server.port())) {
            client.send(head.replace("~", "\r\n"));
            assertThat(client.untilClosed()).contains(" 400 ", "bad-request", reason);
        }
    }

    @Test
    void aBodyIsRefusedWhileItIsRead() throws IOException {
        try (RawClient client = new RawClient(server.port())) {
            client.send(POST + "Transfer-Encoding: chunked\r\n\r\n1001\r\n" + "a".repeat(0x1001) + "\r\n");

            assertThat(client.until("4096 bytes")).contains(" 413 ", "content-too-large");
        }
    }

    @Test
    void allBodiesTogetherHaveABoundToo(@TempDir Path small) throws IOException {
        try (InProcessServer crowded = InProcessServer.in(
                small, "limits: {body_bytes: 4096, memory_bytes: 131072, address_bytes: 49152}", Map.of())) {
            allBodiesHaveABound(crowded);
        }
    }

    private static void allBodiesHaveABound(InProcessServer crowded) throws IOException {
        String most = POST + "Content-Length: 4096\r\n\r\n" + "a".repeat(4_000);
        List<RawClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 13; i++) {
                clients.add(new RawClient(crowded.port()));
            }
            // There is room for twelve requests, which wait for the end of their bodies. Only the thirteenth is
            // answered.
            Object answered = CompletableFuture.anyOf(
                            clients.stream().map(client -> answer(client, most)).toArray(CompletableFuture<?>[]::new))
                    .join();

            assertThat(answered).asString().contains(" 503 ", "Retry-After: 1");
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
        String large = "{\"scope\":\"s\",\"key\":\"%s\"}".formatted("k".repeat(1_000));
        Awaitility.await("they give their places back")
                .atMost(Duration.ofSeconds(60))
                .until(() -> crowded.post("/v1/claims", large).status() == 201);
    }

    private static CompletableFuture<String> answer(RawClient client, String request) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return client.send(request).until("\r\n\r\n");
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                task -> new Thread(task, "reader").start());
    }

    @Test
    void slowHeadersAreCutOff() throws IOException {
        try (RawClient client = new RawClient(strict.port())) {
            client.send("GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ");

            assertThat(client.untilClosed()).isEmpty();
        }
    }

    @Test
    void aSlowBodyIsCutOff() throws IOException {
        try (RawClient client = new RawClient(strict.port())) {
            client.send(POST + "Content-Length: 100\r\n\r\n{");

            assertThat(client.untilClosed()).contains(" 408 ", "request-timeout");
        }
    }

    @Test
    void anIdleConnectionIsClosed() throws IOException {
        try (RawClient client = new RawClient(strict.port())) {
            client.send("GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");

            assertThat(client.untilClosed()).contains(" 200 ");
        }
    }

    @Test
    void expectContinueIsSupported() throws IOException {
        String body = "{\"scope\":\"s\",\"key\":\"expected\"}";
        try (RawClient client = new RawClient(server.port())) {
            client.send(POST + "Expect: 100-continue\r\nContent-Length: " + body.length() + "\r\n\r\n");
            client.until("100 Continue\r\n\r\n");
            assertThat(client.send(body).until("claimed")).contains(" 201 ");
        }
        try (RawClient client = new RawClient(server.port())) {
            client.send(POST + "Expect: 100-continue\r\nContent-Length: 5000\r\n\r\n");
            assertThat(client.until("4096 bytes")).startsWith("HTTP/1.1 413 ");
        }
    }

    @Test
    void tenantsAreUtf8() {
        assertThat(server.post("/v1/claims", "{\"scope\":\"s\",\"key\":\"t\"}", "X-Organization-Id", "a".repeat(256))
                        .text("field"))
                .isEqualTo("X-Organization-Id");
    }

    @Test
    void everyProblemHasItsPage() {
        for (ProblemType type : ProblemType.values()) {
            Reply page = server.get(type.url());
            assertThat(page.status()).as(type.url()).isEqualTo(200);
            assertThat(page.header("Content-Security-Policy")).contains("default-src 'none'");
            assertThat(page.body()).contains(type.title());
        }
        assertThat(server.get("/docs/problems/none").status()).isEqualTo(404);
        assertThat(server.get("/docs").body()).contains("/docs/problems/mismatch");
        assertThat(server.get("/openapi.yaml").body()).contains("openapi: 3.1.0", "/v1/claims/batch:");
    }

    @Test
    void theDocsListEveryPathThatOpenApiDescribes() {
        List<String> described = addresses(server.get("/openapi.yaml").body());
        String docs = server.get("/docs").body();

        assertThat(described)
                .contains("POST /v1/claims", "POST /v1/steps", "GET /docs", "GET /")
                .hasSizeGreaterThan(30);
        assertThat(described).allSatisfy(address -> assertThat(docs).contains("<code>" + address + "</code>"));
    }

    /** Returns every method of every path in the document, read line by line. */
    private static List<String> addresses(String openApi) {
        List<String> all = new ArrayList<>();
        String path = "";
        String paths = openApi.substring(openApi.indexOf("\npaths:\n"), openApi.indexOf("\ncomponents:\n"));
        for (String line : paths.lines().toList()) {
            if (line.matches("  /\\S*:")) {
                path = line.strip().replaceFirst(":$", "");
            } else if (line.matches("    (get|post|options):")) {
                all.add(line.strip().replace(":", "").toUpperCase(Locale.ROOT) + " " + path);
            }
        }
        return all;
    }

    @Test
    void theRootIsTheDocs() {
        Reply root = server.get("/");

        assertThat(root.status()).isEqualTo(200);
        assertThat(root.header("Content-Type")).isEqualTo("text/html; charset=utf-8");
        assertThat(root.body()).isEqualTo(server.get("/docs").body());
        assertThat(server.post("/", "{}").status()).isEqualTo(405);
    }

    @Test
    void health() {
        assertThat(server.get("/health").body()).isEqualTo("{\"status\":\"up\",\"checks\":{\"database\":\"up\"}}");
        assertThat(server.get("/health/ready").status()).isEqualTo(200);
        assertThat(server.get("/health/live").body()).isEqualTo("{\"status\":\"up\"}");
    }
}
