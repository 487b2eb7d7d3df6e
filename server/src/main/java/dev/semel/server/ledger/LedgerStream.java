// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.ledger;

import dev.semel.server.http.JsonBodies;
import dev.semel.server.http.RequestContext;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Processes one streamed batch. It reads lines until a transaction is full, pauses reading until the transaction is
 * committed, writes the response lines, and continues. The memory it needs does not depend on the length of the batch.
 * Used only on its event loop.
 */
final class LedgerStream {
    private static final String NDJSON = "application/x-ndjson";
    private static final int MAX_LINES = 500;

    /** A batch that sends less than this within limits.body_seconds, and completes no part, is too slow. */
    private static final int MIN_PROGRESS = 16_384;

    /** Maximum memory of parsed lines before they are written; one network read may exceed it slightly. */
    private static final long PARSED = 1 << 20;

    /** Maximum memory of data that arrived but is not split into lines yet, even in the smallest chunks. */
    private static final long ARRIVED = 1 << 20;

    private final RequestContext context;
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final Context loop;
    private final LedgerLines reader;
    private final Runnable progress;
    private final LineSplitter splitter;
    private final int maxBytes;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private List<LedgerLines.Line> lines = new ArrayList<>();
    private int bytes;
    private long parsed;
    private long extra;
    private int sinceProgress;
    private boolean writing;
    private boolean ended;
    private boolean gone;

    /** @param maxBytes maximum size of a line, and of the lines that are written together */
    LedgerStream(RequestContext context, LedgerLines reader, int maxBytes, Runnable progress) {
        this.context = context;
        this.request = context.request();
        this.response = request.response();
        this.loop = Vertx.currentContext();
        this.reader = reader;
        this.splitter = new LineSplitter(maxBytes);
        this.maxBytes = maxBytes;
        this.progress = progress;
    }

    /** @throws dev.semel.server.http.ProblemException if there is no memory for it */
    CompletableFuture<Void> start() {
        // Held until the end: an incomplete line, the lines of a part, and their parsed values.
        context.charge().take(2L * maxBytes + 2 * PARSED + ARRIVED);
        request.handler(this::arrived);
        request.endHandler(end -> {
            ended = true;
            splitter.rest().ifPresent(this::line);
            advance();
        });
        // A client that disconnected receives no response. Committed entries stay, and a retry finds them.
        request.exceptionHandler(failure -> abort());
        response.exceptionHandler(failure -> abort());
        return done;
    }

    /**
     * Stops after the client disconnected or its request was malformed. Entries that are being written keep their
     * memory until they are written.
     */
    private void abort() {
        gone = true;
        if (!writing) {
            done.complete(null);
        }
    }

    private void arrived(Buffer part) {
        if (gone) {
            return;
        }
        sinceProgress += part.length();
        if (sinceProgress >= MIN_PROGRESS) {
            sinceProgress = 0;
            progress.run();
        }
        splitter.feed(part.getBytes(), this::line);
        if (!writing && isFull()) {
            advance();
        }
    }

    private boolean isFull() {
        return lines.size() >= MAX_LINES || bytes >= maxBytes || parsed >= PARSED;
    }

    private void line(LineSplitter.Line line) {
        bytes += line.bytes().length;
        lines.add(fitsIntoMemory(line) ? reader.read(context.identity(), line) : LedgerLines.busy());
    }

    /** Charges a line separately if its parsed form is larger than a part. */
    private boolean fitsIntoMemory(LineSplitter.Line line) {
        long cost = JsonBodies.cost(line.bytes());
        if (cost > PARSED) {
            if (!context.charge().tryTake(cost)) {
                return false;
            }
            extra += cost;
        }
        parsed += cost;
        return true;
    }

    /** Commits the lines read so far, or ends the response if there are none left. */
    private void advance() {
        if (writing || done.isDone()) {
            return;
        }
        if (lines.isEmpty()) {
            if (ended) {
                open();
                response.end().onComplete(left -> done.complete(null));
            }
            return;
        }
        List<LedgerLines.Line> part = lines;
        lines = new ArrayList<>();
        bytes = 0;
        parsed = 0;
        writing = true;
        if (!ended) {
            request.pause();
        }
        reader.ingest(part)
                .whenComplete((answers, failure) -> loop.runOnContext(later -> {
                    if (gone) {
                        done.complete(null);
                    } else if (failure == null) {
                        answer(answers);
                    } else {
                        done.completeExceptionally(failure);
                    }
                }));
    }

    private void answer(byte[] answers) {
        progress.run();
        if (response.closed()) {
            done.complete(null);
            return;
        }
        open();
        // Read the next part only after this one was sent: a client that does not read is not read from either.
        response.write(Buffer.buffer(answers)).onComplete(left -> {
            writing = false;
            if (gone || left.failed()) {
                done.complete(null);
                return;
            }
            context.charge().giveBack(extra);
            extra = 0;
            if (!ended) {
                request.resume();
            }
            if (ended || isFull()) {
                advance();
            }
        });
    }

    private void open() {
        if (!response.headWritten()) {
            response.setChunked(true).putHeader("Content-Type", NDJSON).putHeader("Cache-Control", "no-store");
        }
    }
}
