// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.vertx.core.http.HttpServerOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestDecoderTest {
    private static final String GET = "GET /health HTTP/1.1\r\n";

    private final RequestDecoder decoder = new RequestDecoder(new HttpServerOptions().setMaxHeaderSize(16_384), 128);
    private final EmbeddedChannel channel = new EmbeddedChannel(decoder, new ChannelInboundHandlerAdapter());
    private final List<Object> read = new ArrayList<>();

    private RequestDecoderTest send(String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1));
        collect();
        return this;
    }

    private void collect() {
        Object next = channel.readInbound();
        while (next != null) {
            read.add(next);
            next = channel.readInbound();
        }
    }

    /** Runs tasks that the decoder scheduled. */
    private void run() {
        channel.runPendingTasks();
        collect();
    }

    private HttpRequest only() {
        assertThat(requests()).hasSize(1);
        return requests().get(0);
    }

    private List<HttpRequest> requests() {
        return read.stream()
                .filter(HttpRequest.class::isInstance)
                .map(HttpRequest.class::cast)
                .toList();
    }

    @Test
    void aHeadMayHave128LinesAndNotOneMore() {
        send(GET + "a:b\r\n".repeat(128) + "\r\n");
        assertThat(only().decoderResult().isSuccess()).isTrue();
        assertThat(only().headers().getAll("a")).hasSize(128);
        read.clear();
        decoder.answered();

        send(GET + "a:b\r\n".repeat(129));
        assertThat(only().decoderResult().cause())
                .isInstanceOf(RequestDecoder.Refused.class)
                .hasMessageContaining("limits.header_lines");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 1_000})
    void aHeadIsMeasuredWithoutItsBody(int piece) {
        String head = "POST /v1/claims HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\n\r\n";
        String both = head + "12345" + GET + "a:b\r\n\r\n";
        for (int at = 0; at < both.length(); at += piece) {
            send(both.substring(at, Math.min(both.length(), at + piece)));
        }
        assertThat(decoder.headBytes()).isEqualTo(head.length());
        assertThat(decoder.headerLines()).isEqualTo(2);

        decoder.answered();
        run();

        assertThat(requests()).hasSize(2);
        assertThat(decoder.headBytes()).isEqualTo((GET + "a:b\r\n\r\n").length());
        assertThat(decoder.headerLines()).isEqualTo(1);
    }

    @Test
    void theLinesOfEveryRequestCountAnew() {
        for (int i = 0; i < 3; i++) {
            send(GET + "a:b\r\n".repeat(100) + "\r\n");
            assertThat(only().decoderResult().isSuccess()).isTrue();
            read.clear();
            decoder.answered();
        }
    }

    @Test
    void trailersCountToo() {
        send("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n" + "a:b\r\n".repeat(100) + "\r\n0\r\n");
        assertThat(only().decoderResult().isSuccess()).isTrue();

        send("t:b\r\n".repeat(29));
        HttpContent end = (HttpContent) read.get(read.size() - 1);
        assertThat(end.decoderResult().cause())
                .isInstanceOf(RequestDecoder.Refused.class)
                .hasMessageContaining("limits.header_lines");
    }

    /** Each input is sent in one piece and byte by byte. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                GET + "Host: a\r\n b\r\n\r\n",
                GET + "Host: a\r\n\tb\r\n\r\n",
                GET + "Host: a\r\nX: b\r\n \r\n\r\n",
                GET + " Host: a\r\n\r\n",
                "\r\n\r\n" + GET + "Host: a\r\n b\r\n\r\n",
                "GET  /health HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /health  HTTP/1.1\r\nHost: a\r\n\r\n",
                " GET /health HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET\t/health HTTP/1.1\r\nHost: a\r\n\r\n"
            })
    void foldedLinesAndMoreThanOneSpaceAreRefused(String head) {
        send(head);
        assertThat(only().decoderResult().isFailure()).isTrue();

        RequestDecoderTest slowly = new RequestDecoderTest();
        head.chars().forEach(c -> slowly.send(String.valueOf((char) c)));
        assertThat(slowly.only().decoderResult().isFailure()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                GET + "Host: a\r\n\r\n",
                "\r\n" + GET + "Host: a b\r\n\r\n",
                "POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\n\r\n a",
                "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n\r\n a\r\n0\r\n\r\n"
            })
    void validRequestsAreRead(String request) {
        send(request);
        assertThat(only().decoderResult().isSuccess()).isTrue();
        assertThat(read.get(read.size() - 1)).isInstanceOf(LastHttpContent.class);

        RequestDecoderTest slowly = new RequestDecoderTest();
        request.chars().forEach(c -> slowly.send(String.valueOf((char) c)));
        assertThat(slowly.only().decoderResult().isSuccess()).isTrue();
        assertThat(slowly.read.get(slowly.read.size() - 1)).isInstanceOf(LastHttpContent.class);
    }

    /** A space at the start of a body is not a folded header line, wherever the pieces end. */
    @Test
    void aBodyMayBeginWithABlank() {
        String request = "POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\n {} ";
        for (int cut = 1; cut < request.length(); cut++) {
            RequestDecoderTest twoPieces = new RequestDecoderTest();
            twoPieces.send(request.substring(0, cut)).send(request.substring(cut));
            assertThat(twoPieces.only().decoderResult().isSuccess())
                    .as("cut at %d", cut)
                    .isTrue();
        }
    }

    @Test
    void theNextRequestIsDecodedAfterTheAnswer() {
        send((GET + "\r\n").repeat(60));

        for (int i = 1; i < 60; i++) {
            assertThat(requests()).hasSize(i);
            assertThat(channel.config().isAutoRead()).as("reads on").isFalse();
            decoder.answered();
            run();
        }
        assertThat(requests()).hasSize(60);
        decoder.answered();
        run();
        assertThat(channel.config().isAutoRead()).as("reads on").isTrue();

        send(GET + "\r\n");
        assertThat(requests()).hasSize(61);
    }

    @Test
    void aRequestThatIsSentAheadInPartsIsReadAfterTheAnswer() {
        send(GET + "\r\n" + "POST /a HTTP/1.1\r\nContent-Le");
        assertThat(requests()).hasSize(1);

        decoder.answered();
        run();
        send("ngth: 2\r\n\r\n{}");

        assertThat(requests()).hasSize(2);
        assertThat(requests().get(1).headers().get("Content-Length")).isEqualTo("2");
    }
}
