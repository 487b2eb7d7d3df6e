// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The load generator: connections that are kept alive, one request in flight on each, all driven by one thread, which also
 * runs what follows an answer. It knows of HTTP what an answer needs and no more, because whatever it spends of the
 * processor is taken from the server that it measures. A connection that ends fails its caller.
 */
final class HttpGenerator implements AutoCloseable {
    private static final int READ_AT_ONCE = 256 << 10;

    private final InetSocketAddress server;
    private final int most;
    private final Selector selector;
    private final Thread thread;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(READ_AT_ONCE);
    private final Queue<Request> handedOver = new ConcurrentLinkedQueue<>();
    private final ArrayDeque<Request> waiting = new ArrayDeque<>();
    private final ArrayDeque<HttpConnection> free = new ArrayDeque<>();
    private final List<HttpConnection> all = new ArrayList<>();
    private volatile boolean closed;

    /** @param connections are made when they are needed, because a server cuts off who says nothing */
    HttpGenerator(int port, int connections) throws IOException {
        this.server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.most = connections;
        this.selector = Selector.open();
        this.thread = new Thread(this::run, "http-generator");
        thread.setDaemon(true);
        thread.start();
    }

    /** Sends a whole request; it waits for its turn where all connections are busy. */
    CompletableFuture<HttpReply> send(byte[] bytes) {
        Request request = new Request(bytes, new CompletableFuture<>());
        if (Thread.currentThread() == thread) {
            start(request);
        } else {
            handedOver.add(request);
            selector.wakeup();
        }
        return request.reply();
    }

    private void run() {
        try {
            while (!closed) {
                for (Request request = handedOver.poll(); request != null; request = handedOver.poll()) {
                    start(request);
                }
                selector.select(this::ready);
            }
        } catch (IOException | ClosedSelectorException e) {
            all.forEach(connection -> fail(connection, e));
        }
    }

    private void start(Request request) {
        try {
            HttpConnection connection = connection();
            if (connection == null) {
                waiting.add(request);
            } else {
                connection.send(request.bytes(), request.reply());
            }
        } catch (IOException | RuntimeException e) {
            request.reply().completeExceptionally(e);
        }
    }

    private @Nullable HttpConnection connection() throws IOException {
        // The one used last, whose memory is warm.
        HttpConnection connection = free.pollLast();
        if (connection == null && all.size() < most) {
            connection = new HttpConnection(server, selector);
            all.add(connection);
        }
        return connection;
    }

    private void ready(SelectionKey key) {
        HttpConnection connection = (HttpConnection) key.attachment();
        try {
            HttpReply reply = connection.ready(buffer);
            if (reply != null) {
                answered(connection, reply);
            }
        } catch (IOException | RuntimeException e) {
            fail(connection, e);
        }
    }

    private void answered(HttpConnection connection, HttpReply reply) {
        CompletableFuture<HttpReply> done = connection.done();
        if (done == null) {
            throw new IllegalStateException("An answer that nobody waits for: " + reply.status());
        }
        free.add(connection);
        Request next = waiting.poll();
        if (next != null) {
            start(next);
        }
        done.complete(reply);
    }

    /** Whoever waits hears of it now, and whoever takes the connection next when he writes to it. */
    private static void fail(HttpConnection connection, Exception reason) {
        CompletableFuture<HttpReply> done = connection.done();
        connection.close();
        if (done != null) {
            done.completeExceptionally(reason);
        }
    }

    @Override
    public void close() throws Exception {
        closed = true;
        selector.wakeup();
        thread.join();
        for (HttpConnection connection : all) {
            connection.close();
        }
        selector.close();
    }

    @SuppressWarnings("ArrayRecordComponent") // Never compared, and sent once.
    private record Request(byte[] bytes, CompletableFuture<HttpReply> reply) {}
}
