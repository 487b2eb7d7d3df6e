// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.api;

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
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/**
 * Writes requests to a service and reads its answers, more strictly than Netty's own codec: what a service sends without
 * having been asked, be it behind an answer that has ended, is thrown away together with the connection. Otherwise it would
 * be read as the answer to the next request on that connection, which may be another client's.
 */
final class UpstreamCodec extends CombinedChannelDuplexHandler<UpstreamCodec.Answers, UpstreamCodec.Requests> {
    UpstreamCodec(HttpDecoderConfig config) {
        Queue<HttpMethod> asked = new ArrayDeque<>();
        init(new Answers(config, asked), new Requests(asked));
    }

    static final class Requests extends HttpRequestEncoder {
        private final Queue<HttpMethod> asked;

        Requests(Queue<HttpMethod> asked) {
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

    static final class Answers extends HttpResponseDecoder {
        private final Queue<HttpMethod> asked;
        private boolean inAnswer;
        private boolean ended;

        Answers(HttpDecoderConfig config, Queue<HttpMethod> asked) {
            super(config);
            this.asked = asked;
        }

        @Override
        protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
            if (!ended && (inAnswer || !asked.isEmpty())) {
                int before = out.size();
                super.decode(ctx, in, out);
                out.subList(before, out.size()).forEach(this::note);
            }
            // At once, and not when the next bytes are read: by then the connection may have its next request.
            if (in.isReadable() && !inAnswer && (ended || asked.isEmpty())) {
                ended = true;
                in.skipBytes(in.readableBytes());
                ctx.close();
            }
        }

        private void note(Object message) {
            if (message instanceof HttpResponse) {
                inAnswer = true;
            }
            if (message instanceof LastHttpContent) {
                inAnswer = false;
            }
        }

        /** Called at the end of every head. */
        @Override
        protected boolean isContentAlwaysEmpty(HttpMessage message) {
            if (((HttpResponse) message).status().codeClass() == HttpStatusClass.INFORMATIONAL) {
                return super.isContentAlwaysEmpty(message);
            }
            return HttpMethod.HEAD.equals(asked.poll()) || super.isContentAlwaysEmpty(message);
        }
    }
}
