// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.CombinedChannelDuplexHandler;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestEncoder;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AsciiString;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/**
 * Encodes requests to a service and decodes its responses, more strictly than Netty's own codec:
 *
 * <ul>
 *   <li>Unsolicited data, including data after a complete response, is discarded and the connection closed. Otherwise
 *       it would be read as the response to the next request on that connection, possibly of another client.
 *   <li>Interim responses (1xx) are discarded, because the proxy does not request them.
 *   <li>A response that ends with the connection is incomplete if the connection broke.
 *   <li>The number of header lines is limited.
 * </ul>
 */
final class UpstreamCodec
        extends CombinedChannelDuplexHandler<UpstreamCodec.ResponseDecoder, UpstreamCodec.RequestEncoder> {
    private static final int MAX_LINES = 256;

    UpstreamCodec(HttpDecoderConfig config) {
        Queue<HttpMethod> asked = new ArrayDeque<>();
        init(new ResponseDecoder(config, asked), new RequestEncoder(asked));
    }

    static final class RequestEncoder extends HttpRequestEncoder {
        private final Queue<HttpMethod> asked;

        RequestEncoder(Queue<HttpMethod> asked) {
            this.asked = asked;
        }

        @Override
        protected void encode(ChannelHandlerContext ctx, Object message, List<Object> out) throws Exception {
            if (message instanceof HttpRequest request) {
                asked.add(request.method());
            }
            super.encode(ctx, message, out);
        }
    }

    static final class ResponseDecoder extends HttpResponseDecoder {
        private final Queue<HttpMethod> asked;
        private boolean inAnswer;
        private boolean interim;
        private boolean ended;
        private boolean broken;
        private int lines;

        ResponseDecoder(HttpDecoderConfig config, Queue<HttpMethod> asked) {
            super(config);
            this.asked = asked;
        }

        @Override
        protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
            if (!ended && (inAnswer || !asked.isEmpty())) {
                int before = out.size();
                super.decode(ctx, in, out);
                out.subList(before, out.size()).removeIf(this::isInterim);
            }
            // Check now rather than at the next read: the connection may carry its next request by then.
            if (in.isReadable() && !inAnswer && (ended || asked.isEmpty())) {
                ended = true;
                in.skipBytes(in.readableBytes());
                ctx.close();
            }
        }

        private boolean isInterim(Object message) {
            if (message instanceof HttpResponse answer) {
                interim = answer.status().codeClass() == HttpStatusClass.INFORMATIONAL;
                inAnswer = true;
                lines = 0;
            }
            if (message instanceof LastHttpContent) {
                inAnswer = false;
            }
            return interim;
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) throws Exception {
            broken = true;
            super.exceptionCaught(ctx, cause);
        }

        /** Called when the connection has ended. */
        @Override
        protected void decodeLast(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
            if (!broken) {
                super.decodeLast(ctx, in, out);
            }
        }

        @Override
        protected AsciiString splitHeaderName(byte[] line, int start, int length) {
            if (++lines > MAX_LINES) {
                throw new IllegalArgumentException("The response has more than %d header lines".formatted(MAX_LINES));
            }
            return super.splitHeaderName(line, start, length);
        }

        /** Called by Netty at the end of every head. */
        @Override
        protected boolean isContentAlwaysEmpty(HttpMessage message) {
            if (((HttpResponse) message).status().codeClass() == HttpStatusClass.INFORMATIONAL) {
                return super.isContentAlwaysEmpty(message);
            }
            return HttpMethod.HEAD.equals(asked.poll()) || super.isContentAlwaysEmpty(message);
        }
    }
}
