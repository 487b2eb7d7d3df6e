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
 * Reads requests from a connection, more strictly than Vert.x does by itself:
 *
 * <ul>
 *   <li>A head has a bounded number of header lines. The bound on its bytes alone would allow thousands of tiny headers,
 *       each an object of many times its size.
 *   <li>The next request is decoded once the one before has its answer. Until then what a client sends ahead stays in one
 *       buffer, and no more is read from it; then others come first.
 *   <li>A header line that goes on in the next line, and more than one space in the request line, are refused: two readers
 *       could understand them in two ways.
 * </ul>
 *
 * <p>Only the connection's event loop touches it, unless said otherwise.
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
            // What a client that is gone has sent ahead is not begun.
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

    /** What comes behind a head is left to the next call, so that what is taken out here is the head's. */
    private void decodeHead(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
        if (stage == Stage.BETWEEN) {
            headBytes = 0;
        }
        folded |= foldsLines(in);
        int before = in.readerIndex();
        super.decode(ctx, in, out);
        headBytes += in.readerIndex() - before;
    }

    /** The length of the latest head. */
    int headBytes() {
        return headBytes;
    }

    /** How many header lines the latest head has. */
    int headerLines() {
        return lines;
    }

    /** The last request has its answer, and the next may be read, after whatever else is waiting on this event loop. */
    void answered() {
        answerDue = false;
        ChannelHandlerContext ctx = context;
        if (stopped && !waiting && ctx != null) {
            waiting = true;
            ctx.executor().execute(() -> next(ctx));
        }
    }

    /**
     * Closes the connection at once. Vert.x would first wait until everything was written, and a client that does not read
     * could make it wait for ever. What is written but not read is thrown away. May be called by any thread.
     */
    void cut() {
        ChannelHandlerContext ctx = context;
        if (ctx != null) {
            try {
                if (answerDue) {
                    ctx.channel().config().setOption(ChannelOption.SO_LINGER, 0);
                }
            } catch (ChannelException alreadyClosed) {
                // There is nothing left to throw away.
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

    /** Looks at the lines of a head that are here. The buffer begins with a line, as lines are taken out whole. */
    private boolean foldsLines(ByteBuf in) {
        int at = in.readerIndex();
        int end = in.writerIndex();
        if (stage == Stage.HEAD && at < end) {
            byte first = in.getByte(at);
            if (isBlank(first) || isEnd(first)) {
                // After an empty line comes the body, which may begin with a blank.
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

    /** Called at the end of every head. */
    @Override
    protected boolean isContentAlwaysEmpty(HttpMessage message) {
        refuseFolded();
        return super.isContentAlwaysEmpty(message);
    }

    private void refuseFolded() {
        if (folded) {
            throw new Refused(ProblemType.BAD_REQUEST, "A header line must not go on in the next line");
        }
    }

    @Override
    protected String splitFirstWordInitialLine(byte[] line, int start, int length) {
        // The line stands at the beginning of its array.
        if (start != 0) {
            throw new Refused(ProblemType.BAD_REQUEST, "A request line must not begin with a space");
        }
        wordEnd = start + length;
        return super.splitFirstWordInitialLine(line, start, length);
    }

    @Override
    protected String splitSecondWordInitialLine(byte[] line, int start, int length) {
        follow(line, start);
        wordEnd = start + length;
        return super.splitSecondWordInitialLine(line, start, length);
    }

    @Override
    protected String splitThirdWordInitialLine(byte[] line, int start, int length) {
        follow(line, start);
        return super.splitThirdWordInitialLine(line, start, length);
    }

    private void follow(byte[] line, int start) {
        if (start != wordEnd + 1 || line[wordEnd] != HttpConstants.SP) {
            throw new Refused(ProblemType.BAD_REQUEST, "The words of a request line must be separated by one space");
        }
    }

    /** A request that is not read. Its message quotes nothing of the request. */
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
