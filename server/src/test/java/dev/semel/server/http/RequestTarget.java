// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonObject;
import dev.semel.server.config.AddressRange;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

/**
 * Decodes any bytes of a connection. The requests do not depend on how the bytes are split. An admitted request is
 * unambiguous, and a rejected one has a problem.
 */
public final class RequestTarget {
    private static final HttpServerOptions OPTIONS =
            new HttpServerOptions().setMaxInitialLineLength(8_192).setMaxHeaderSize(16_384);
    private static final int MAX_LINES = 128;

    private static final Pattern LOOPBACK =
            Pattern.compile("(?i)(localhost|127(\\.[0-9]{1,3}){3}|\\[[0:]*:0*1])(:[0-9]{1,5})?");
    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Pattern NO_CONTROLS = Pattern.compile("[^\\x00-\\x08\\x0a-\\x1f\\x7f]*");

    private static final Identities LOCAL = new LocalIdentities();
    private static final Identities NO_TOKENS = new TokenIdentities(new LiveTokens(List.of()));
    private static final Routes ROUTES = routes();

    private RequestTarget() {}

    public static void accept(byte[] bytes) {
        // Completes the last head, so that its errors are found.
        byte[] input = Arrays.copyOf(bytes, bytes.length + 4);
        System.arraycopy("\r\n\r\n".getBytes(StandardCharsets.US_ASCII), 0, input, bytes.length, 4);
        List<Read> whole = read(input, input.length);
        assertThat(read(input, 1)).isEqualTo(whole);
        assertThat(read(input, 7)).isEqualTo(whole);
        whole.stream().filter(Read::readable).forEach(RequestTarget::check);
    }

    /** A decoded request. */
    private record Read(HttpRequest request, String head, String body, boolean readable) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Read read
                    && head.equals(read.head)
                    && body.equals(read.body)
                    && readable == read.readable;
        }

        @Override
        public int hashCode() {
            return head.hashCode();
        }
    }

    private static List<Read> read(byte[] input, int piece) {
        RequestDecoder decoder = new RequestDecoder(OPTIONS, MAX_LINES);
        EmbeddedChannel channel = new EmbeddedChannel(decoder, new ChannelInboundHandlerAdapter());
        Collected collected = new Collected(decoder);
        for (int at = 0; at < input.length; at += piece) {
            channel.writeInbound(
                    Unpooled.wrappedBuffer(Arrays.copyOfRange(input, at, Math.min(input.length, at + piece))));
            collected.from(channel);
        }
        channel.finishAndReleaseAll();
        collected.end();
        return collected.all;
    }

    /** Collects messages and answers each request as soon as it is complete. */
    private static final class Collected {
        private final RequestDecoder decoder;
        private final List<Read> all = new ArrayList<>();
        private HttpRequest request;
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private boolean broken;

        Collected(RequestDecoder decoder) {
            this.decoder = decoder;
        }

        void from(EmbeddedChannel channel) {
            boolean more = true;
            while (more) {
                more = false;
                for (Object next = channel.readInbound(); next != null; next = channel.readInbound()) {
                    more = true;
                    take(next);
                }
                channel.runPendingTasks();
            }
        }

        private void take(Object message) {
            if (message instanceof HttpRequest read) {
                end();
                request = read;
                broken = read.decoderResult().isFailure();
            }
            if (message instanceof HttpContent content) {
                byte[] bytes = new byte[content.content().readableBytes()];
                content.content().readBytes(bytes);
                body.writeBytes(bytes);
                broken |= content.decoderResult().isFailure();
            }
            ReferenceCountUtil.release(message);
            if (message instanceof LastHttpContent) {
                end();
                decoder.answered();
            }
        }

        void end() {
            if (request != null) {
                String head = broken
                        ? "broken"
                        : request.method() + " " + request.uri() + " " + request.protocolVersion()
                                + request.headers().entries();
                all.add(new Read(request, head, broken ? "" : Arrays.toString(body.toByteArray()), !broken));
            }
            request = null;
            body.reset();
            broken = false;
        }
    }

    private static void check(Read read) {
        HttpServerRequest request = DecodedRequest.of(read.request());
        if (!passes(() -> RequestValidation.check(request))) {
            return;
        }
        unambiguous(request);
        if (passes(() -> LOCAL.admit(request))) {
            assertThat(request.headers().get("Host")).matches(LOOPBACK);
            passes(() -> assertThat(LOCAL.of(request).tenant()).isNotEmpty());
        }
        assertThat(passes(() -> NO_TOKENS.of(request))).isFalse();
        passes(() -> JsonBodies.requireJson(request));
        passes(() -> QueryParameters.of(request.query())
                .one("limit")
                .ifPresent(limit -> assertThat(request.uri().length()).isGreaterThan(limit.length())));
        request.headers()
                .getAll("X-Forwarded-For")
                .forEach(value -> AddressRange.literal(value)
                        .ifPresent(address -> assertThat(address).matches("[0-9A-Fa-f:.]+(%.*)?")));
        passes(() -> {
            Routes.Found found = ROUTES.find(request.method().name(), request.path());
            assertThat(found.route().method()).isEqualTo(request.method().name());
            found.parameters()
                    .values()
                    .forEach(value -> assertThat(value.length())
                            .isLessThanOrEqualTo(request.path().length()));
        });
    }

    private static void unambiguous(HttpServerRequest request) {
        assertThat(request.uri()).startsWith("/").doesNotContain(" ", "\r", "\n", "\t");
        request.headers().forEach((name, value) -> {
            assertThat(name).matches(NAME);
            assertThat(value).matches(NO_CONTROLS);
        });
        for (String once : List.of("Host", "Content-Length", "Transfer-Encoding", "Content-Encoding", "Expect")) {
            assertThat(request.headers().getAll(once)).hasSizeLessThanOrEqualTo(1);
        }
        String length = request.headers().get("Content-Length");
        String encoding = request.headers().get("Transfer-Encoding");
        assertThat(length == null || encoding == null).isTrue();
        assertThat(length == null || length.matches("[0-9]{1,19}"))
                .as("Content-Length: %s", length)
                .isTrue();
        assertThat(encoding == null || encoding.toLowerCase(Locale.ROOT).equals("chunked"))
                .isTrue();
    }

    /** Returns whether the rule accepts. If it does not, the problem must be serializable. */
    private static boolean passes(Runnable rule) {
        try {
            rule.run();
            return true;
        } catch (ProblemException e) {
            HttpAnswer answer = e.problem().answer();
            assertThat(answer.status()).isBetween(400, 499);
            assertThat(answer.body()).hasSizeLessThan(4_096);
            assertThat(Json.parse(answer.body())).isInstanceOf(JsonObject.class);
            answer.headers().forEach(line -> assertThat(line.value()).matches("[ -~]+"));
            return false;
        }
    }

    private static Routes routes() {
        Routes routes = new Routes();
        HttpRoute.PlainHandler nothing = exchange -> CompletableFuture.failedFuture(new IllegalStateException());
        routes.get("/health", RouteAccess.OPEN, nothing);
        routes.get("/v1/claims/{claim_id}", RouteAccess.OPEN, nothing);
        routes.post(
                "/v1/claims/{claim_id}/succeed",
                RouteAccess.OPEN,
                (exchange, json) -> CompletableFuture.failedFuture(new IllegalStateException()));
        routes.options("/webhooks/{org}/{provider}/{secret}", RouteAccess.OPEN, nothing);
        return routes;
    }
}
