// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http.HttpConstants;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AsciiString;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decodes requests more strictly than Vert.x:
 *
 * <ul>
 *   <li>The number of header lines is limited. A limit on bytes alone would allow thousands of tiny headers, each an
 *       object of many times its size.
 *   <li>The next request is decoded only after the response to the previous one was sent. Until then, pipelined data
 *       stays in one buffer and nothing more is read. Afterwards, other connections of the event loop get their turn
 *       first.
 *   <li>Folded header lines and multiple spaces in the request line are rejected, because parsers disagree about them.
 * </ul>
 *
 * <p>Used only on the connection's event loop, unless stated otherwise.
 */
final class RequestDecoder extends VertxHttpRequestDecoder {
    private enum Stage {
        BETWEEN,
        HEAD,
        BODY
    }

    private final int maxLines;
    private Stage stage = Stage.BETWEEN;
    private int lines;
    private int headBytes;
    private int wordEnd;
    private boolean folded;
    private volatile boolean answerDue;
    private boolean stopped;
    private boolean waiting;
    private volatile @Nullable ChannelHandlerContext context;

    RequestDecoder(HttpServerOptions options, int maxLines) {
        super(options);
        this.maxLines = maxLines;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) throws Exception {
        context = added;
        super.handlerAdded(added);
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
        if (!ctx.channel().isActive()) {
            // Discard pipelined requests of a client that has disconnected.
            in.skipBytes(in.readableBytes());
            return;
        }
        if (stage == Stage.BETWEEN && answerDue) {
            stopped = true;
            ctx.channel().config().setAutoRead(false);
            return;
        }
        if (stage == Stage.BODY) {
            super.decode(ctx, in, out);
        } else {
            decodeHead(ctx, in, out);
        }
        for (Object message : out) {
            if (message instanceof HttpRequest) {
                stage = Stage.BODY;
            }
            if (message instanceof LastHttpContent) {
                stage = Stage.BETWEEN;
                answerDue = true;
            }
        }
    }

    /**
     * Decodes a head. Data after the head is left to the next call, so that the bytes consumed here are those of the
     * head.
     */
    private void decodeHead(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
        if (stage == Stage.BETWEEN) {
            headBytes = 0;
        }
        folded |= foldsLines(in);
        int before = in.readerIndex();
        super.decode(ctx, in, out);
        headBytes += in.readerIndex() - before;
    }

    /** Returns the length of the latest head. */
    int headBytes() {
        return headBytes;
    }

    /** Returns the number of header lines of the latest head. */
    int headerLines() {
        return lines;
    }

    /** Allows the next request after a response was sent. Other tasks on this event loop run first. */
    void answered() {
        answerDue = false;
        ChannelHandlerContext ctx = context;
        if (stopped && !waiting && ctx != null) {
            waiting = true;
            ctx.executor().execute(() -> next(ctx));
        }
    }

    /**
     * Closes the connection immediately and discards unread output. Vert.x would first wait until everything was
     * written, without limit if the client does not read. Any thread may call it.
     */
    void closeNow() {
        ChannelHandlerContext ctx = context;
        if (ctx != null) {
            try {
                if (answerDue) {
                    ctx.channel().config().setOption(ChannelOption.SO_LINGER, 0);
                }
            } catch (ChannelException alreadyClosed) {
                // The connection is already closed; there is no output to discard.
            }
            ctx.close();
        }
    }

    private void next(ChannelHandlerContext ctx) {
        waiting = false;
        if (ctx.isRemoved() || answerDue || !ctx.channel().isActive()) {
            return;
        }
        stopped = false;
        try {
            channelRead(ctx, Unpooled.EMPTY_BUFFER);
            channelReadComplete(ctx);
            if (!stopped) {
                ctx.channel().config().setAutoRead(true);
            }
        } catch (Exception e) {
            ctx.fireExceptionCaught(e);
        }
    }

    /**
     * Returns whether the buffered lines contain a folded line. The buffer starts at a line, because lines are consumed
     * whole.
     */
    private boolean foldsLines(ByteBuf in) {
        int at = in.readerIndex();
        int end = in.writerIndex();
        if (stage == Stage.HEAD && at < end) {
            byte first = in.getByte(at);
            if (isBlank(first) || isEnd(first)) {
                // The body follows an empty line and may begin with a space.
                return isBlank(first);
            }
        }
        if (stage == Stage.BETWEEN) {
            while (at < end && isEnd(in.getByte(at))) {
                at++;
            }
        }
        while (true) {
            int next = in.indexOf(at, end, HttpConstants.LF) + 1;
            if (next == 0 || next >= end) {
                return false;
            }
            byte first = in.getByte(next);
            if (isBlank(first)) {
                return true;
            }
            if (isEnd(first)) {
                return false;
            }
            at = next;
        }
    }

    private static boolean isEnd(byte first) {
        return first == HttpConstants.CR || first == HttpConstants.LF;
    }

    private static boolean isBlank(byte first) {
        return first == HttpConstants.SP || first == HttpConstants.HT;
    }

    @Override
    protected HttpMessage createMessage(String[] initialLine) {
        stage = Stage.HEAD;
        lines = 0;
        return super.createMessage(initialLine);
    }

    @Override
    protected AsciiString splitHeaderName(byte[] line, int start, int length) {
        if (++lines > maxLines) {
            throw new Refused(
                    ProblemType.HEADERS_TOO_LARGE,
                    "The request has more than %d header lines (limits.header_lines)".formatted(maxLines));
        }
        refuseFolded();
        return super.splitHeaderName(line, start, length);
    }

    /** Called by Netty at the end of every head. */
    @Override
    protected boolean isContentAlwaysEmpty(HttpMessage message) {
        refuseFolded();
        return super.isContentAlwaysEmpty(message);
    }

    private void refuseFolded() {
        if (folded) {
            throw new Refused(ProblemType.BAD_REQUEST, "A header line must not continue on the next line");
        }
    }

    @Override
    protected String splitFirstWordInitialLine(byte[] line, int start, int length) {
        // The line starts at index 0 of its array.
        if (start != 0) {
            throw new Refused(ProblemType.BAD_REQUEST, "A request line must not begin with a space");
        }
        wordEnd = start + length;
        return super.splitFirstWordInitialLine(line, start, length);
    }

    @Override
    protected String splitSecondWordInitialLine(byte[] line, int start, int length) {
        requireSingleSpace(line, start);
        wordEnd = start + length;
        return super.splitSecondWordInitialLine(line, start, length);
    }

    @Override
    protected String splitThirdWordInitialLine(byte[] line, int start, int length) {
        requireSingleSpace(line, start);
        return super.splitThirdWordInitialLine(line, start, length);
    }

    private void requireSingleSpace(byte[] line, int start) {
        if (start != wordEnd + 1 || line[wordEnd] != HttpConstants.SP) {
            throw new Refused(ProblemType.BAD_REQUEST, "The words of a request line must be separated by one space");
        }
    }

    /** A request that the decoder rejects. Its message contains nothing from the request. */
    static final class Refused extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        private final ProblemType type;

        Refused(ProblemType type, String message) {
            super(message);
            this.type = type;
        }

        ProblemDetail problem() {
            return ProblemDetail.of(type, String.valueOf(getMessage()));
        }
    }
}
