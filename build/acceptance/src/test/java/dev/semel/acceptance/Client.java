// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Supplier;

/** Sends requests and checks every response against the openapi.yaml of the same server. */
final class Client {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    // Connections are pooled here. A system property allows the headers that Java otherwise reserves.
    private static final HttpClient HTTP = client();

    private final SemelProcess process;
    private final Supplier<OpenApi> openApi;

    Client(SemelProcess process, Supplier<OpenApi> openApi) {
        this.process = process;
        this.openApi = openApi;
    }

    private static HttpClient client() {
        // Tests choose the Host header.
        System.setProperty("jdk.httpclient.allowRestrictedHeaders", "host,connection");
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(LIMIT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    Answer send(Ask ask) {
        try {
            return attempt(ask);
        } catch (IOException e) {
            throw new UncheckedIOException("%s %s".formatted(ask.method(), ask.path()), e);
        }
    }

    /** Like {@link #send}, for tests in which the server or its database may be killed during the request. */
    Answer attempt(Ask ask) throws IOException {
        Answer answer = plain(ask);
        assertThat(openApi.get().violations(ask, answer))
                .as("%s %s against openapi.yaml: %s", ask.method(), ask.path(), answer)
                .isEmpty();
        return answer;
    }

    /** Sends a request and does not read the response. */
    Socket unanswered(Ask ask) throws IOException {
        Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), process.uri().getPort());
        StringBuilder head = new StringBuilder("%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n"
                .formatted(ask.method(), ask.path(), ask.body().length));
        ask.headers().forEach((name, value) -> head.append("%s: %s\r\n".formatted(name, value)));
        socket.getOutputStream().write(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().write(ask.body());
        return socket;
    }

    private Answer plain(Ask ask) throws IOException {
        return exchange(process.uri().resolve(ask.path()).toString(), ask);
    }

    static Answer exchange(String url, Ask ask) throws IOException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(java.net.URI.create(url)).timeout(LIMIT);
        boolean empty =
                ask.body().length == 0 && !ask.method().toUpperCase(Locale.ROOT).startsWith("P");
        request.method(ask.method(), empty ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(ask.body()));
        ask.headers().forEach(request::header);
        try {
            HttpResponse<byte[]> response = HTTP.send(request.build(), BodyHandlers.ofByteArray());
            return new Answer(response.statusCode(), response.headers(), response.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
