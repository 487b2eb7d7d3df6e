// SPDX-License-Identifier: Apache-2.0
package dev.semel.servlet;

import dev.semel.http.ApiAnswer;
import dev.semel.http.ApiResult;
import dev.semel.http.HeaderLine;
import dev.semel.http.IdempotencyHeaders;
import dev.semel.http.Problems;
import dev.semel.http.ReleasedStatuses;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The response that the servlet writes to. Status and headers are set on the container's response immediately, which does not
 * commit it. The body is buffered until the servlet ends. It is streamed if it is too large or flushed before its end.
 */
final class AnswerBuffer extends HttpServletResponseWrapper {
    private static final String LENGTH = "Content-Length";
    private static final String TYPE = "Content-Type";

    private final Problems problems;
    private final GuardedExchange exchange;
    private final List<HeaderLine> attemptHeaders;
    private final int max;
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private State state = State.HOLDING;
    private boolean flushed;
    private boolean closed;
    private boolean clientGone;
    private long declaredLength = -1;
    private @Nullable SentError error;
    private @Nullable ServletOutputStream stream;
    private @Nullable PrintWriter writer;

    private enum State {
        /** The body is buffered. */
        HOLDING,
        /** The body is written to the client directly. */
        STREAMING,
        /** No more output is accepted. */
        ENDED
    }

    private record SentError(int status, @Nullable String message) {}

    AnswerBuffer(
            GuardedExchange exchange,
            HttpServletResponse response,
            List<HeaderLine> attemptHeaders,
            Problems problems,
            int max) {
        super(response);
        this.problems = problems;
        this.exchange = exchange;
        this.attemptHeaders = attemptHeaders;
        this.max = max;
    }

    private HttpServletResponse container() {
        return (HttpServletResponse) getResponse();
    }

    /** Ends the output and returns the servlet's result. */
    synchronized ApiResult result(ReleasedStatuses released) {
        boolean streamed = state == State.STREAMING;
        SentError sent = error;
        if (sent != null && !released.contains(sent.status())) {
            render(sent);
            error = null;
        }
        state = State.ENDED;
        return streamed
                ? new ApiResult.Streamed(getStatus())
                : new ApiResult.Complete(new ApiAnswer(getStatus(), headers(), held.toByteArray()));
    }

    /** Replaces the container's error page, which no filter can see: the client must receive what is stored. */
    private void render(SentError sent) {
        String message = sent.message() == null ? "" : sent.message();
        ApiAnswer problem = problems.problem(sent.status(), "error", "The request failed", message);
        held.reset();
        held.writeBytes(problem.body());
        problem.header(TYPE).ifPresent(super::setContentType);
        if (writer != null) {
            super.setCharacterEncoding(StandardCharsets.UTF_8.name());
        }
    }

    /** Discards the answer. */
    synchronized void abandon() {
        state = State.ENDED;
    }

    synchronized boolean isClientGone() {
        return clientGone;
    }

    /** Sends the servlet's answer with the idempotency headers. */
    synchronized void deliver(ApiAnswer answer) throws IOException {
        SentError sent = error;
        if (sent == null) {
            ResponseWriter.finish(container(), answer);
            return;
        }
        ResponseWriter.setOurs(container(), answer);
        if (sent.message() == null) {
            super.sendError(sent.status());
        } else {
            super.sendError(sent.status(), sent.message());
        }
    }

    /** Leaves the answer to the container, which may keep these headers. */
    void markFailed() {
        if (!super.isCommitted()) {
            setAttemptHeaders();
        }
    }

    private void setAttemptHeaders() {
        attemptHeaders.forEach(line -> super.setHeader(line.name(), line.value()));
    }

    private List<HeaderLine> headers() {
        List<HeaderLine> lines = new ArrayList<>();
        String type = getContentType();
        if (type != null) {
            lines.add(new HeaderLine(TYPE, type));
        }
        Set<String> names = new LinkedHashSet<>();
        getHeaderNames().forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
        getHeaderNames().forEach(name -> {
            if (names.remove(name.toLowerCase(Locale.ROOT))
                    && !name.equalsIgnoreCase(TYPE)
                    && !name.equalsIgnoreCase(LENGTH)) {
                getHeaders(name).forEach(value -> lines.add(new HeaderLine(name, value)));
            }
        });
        return lines;
    }

    synchronized void write(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0 || state == State.ENDED || closed) {
            return;
        }
        if (state == State.HOLDING && (flushed || length > max - held.size() || exchange.isUnattended())) {
            startStreaming();
        }
        if (state == State.HOLDING) {
            held.write(bytes, offset, length);
        } else {
            toClient(() -> container().getOutputStream().write(bytes, offset, length));
        }
    }

    synchronized void flush() throws IOException {
        if (state == State.HOLDING && !closed) {
            if (exchange.isUnattended() || isEventStream()) {
                startStreaming();
            } else {
                // Most frameworks flush at the end. Only further output shows that it was not the end.
                flushed = true;
            }
        }
        if (state == State.STREAMING) {
            toClient(() -> container().flushBuffer());
        }
    }

    private boolean isEventStream() {
        String type = getContentType();
        return type != null && type.toLowerCase(Locale.ROOT).startsWith("text/event-stream");
    }

    private void startStreaming() throws IOException {
        state = State.STREAMING;
        setAttemptHeaders();
        if (declaredLength >= 0) {
            super.setContentLengthLong(declaredLength);
        }
        toClient(() -> held.writeTo(container().getOutputStream()));
        held.reset();
    }

    private void toClient(Writing writing) throws IOException {
        try {
            writing.run();
        } catch (IOException e) {
            clientGone = true;
            throw e;
        }
    }

    private interface Writing {
        void run() throws IOException;
    }

    @Override
    public synchronized ServletOutputStream getOutputStream() {
        if (writer != null) {
            throw new IllegalStateException("getWriter was already called");
        }
        if (stream == null) {
            stream = new AnswerOutputStream(this, exchange);
        }
        return stream;
    }

    @Override
    public synchronized PrintWriter getWriter() throws IOException {
        if (writer == null) {
            if (stream != null) {
                throw new IllegalStateException("getOutputStream was already called");
            }
            String encoding = getCharacterEncoding();
            // As containers do: from now on the content type has the encoding.
            super.setCharacterEncoding(encoding);
            writer = new PrintWriter(new AnswerPrintWriter(new AnswerOutputStream(this, exchange), encoding));
        }
        return writer;
    }

    @Override
    public void setCharacterEncoding(String encoding) {
        if (writer == null) {
            super.setCharacterEncoding(encoding);
        }
    }

    @Override
    public void setContentType(String type) {
        String used = writer == null ? null : getCharacterEncoding();
        super.setContentType(type);
        if (used != null) {
            super.setCharacterEncoding(used);
        }
    }

    @Override
    public synchronized void flushBuffer() throws IOException {
        flush();
    }

    @Override
    public synchronized boolean isCommitted() {
        return state != State.HOLDING || closed || super.isCommitted();
    }

    @Override
    public synchronized void reset() {
        super.reset();
        clear();
        declaredLength = -1;
        stream = null;
        writer = null;
    }

    @Override
    public synchronized void resetBuffer() {
        if (isCommitted()) {
            throw new IllegalStateException("The response is already committed");
        }
        clear();
    }

    private void clear() {
        held.reset();
        flushed = false;
    }

    @Override
    public void sendError(int status) throws IOException {
        sendError(status, null);
    }

    @Override
    public synchronized void sendError(int status, @Nullable String message) throws IOException {
        resetBuffer();
        setStatus(status);
        error = new SentError(status, message);
        closed = true;
    }

    @Override
    public void sendRedirect(String location) {
        sendRedirect(location, SC_FOUND, true);
    }

    /** Overrides a method of Servlet 6.1. A relative location stays relative, and the client resolves it. */
    public synchronized void sendRedirect(String location, int status, boolean clear) {
        Objects.requireNonNull(location, "A location must not be null");
        if (isCommitted()) {
            throw new IllegalStateException("The response is already committed");
        }
        if (clear) {
            resetBuffer();
        }
        setStatus(status);
        super.setHeader("Location", location);
        closed = true;
    }

    @Override
    public void setContentLength(int length) {
        setContentLengthLong(length);
    }

    /** Only notes the length. The response gets its length when the answer is sent. */
    @Override
    public synchronized void setContentLengthLong(long length) {
        if (state == State.HOLDING) {
            declaredLength = length;
        }
    }

    @Override
    public void setHeader(String name, String value) {
        if (name.equalsIgnoreCase(LENGTH)) {
            setContentLengthLong(Long.parseLong(value.strip()));
        } else if (name.equalsIgnoreCase(TYPE)) {
            setContentType(value);
        } else if (!IdempotencyHeaders.isOurs(name)) {
            super.setHeader(name, value);
        }
    }

    @Override
    public void addHeader(String name, String value) {
        if (name.equalsIgnoreCase(LENGTH) || name.equalsIgnoreCase(TYPE)) {
            setHeader(name, value);
        } else if (!IdempotencyHeaders.isOurs(name)) {
            super.addHeader(name, value);
        }
    }

    @Override
    public void setIntHeader(String name, int value) {
        setHeader(name, Integer.toString(value));
    }

    @Override
    public void addIntHeader(String name, int value) {
        addHeader(name, Integer.toString(value));
    }
}
