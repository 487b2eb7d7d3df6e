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
 * The load generator: persistent connections with one open request each. One thread drives all of them and also runs the
 * callbacks. It implements only the part of HTTP that it needs, because its CPU time is taken from the measured server. If a
 * connection ends, its caller fails.
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

    /** @param connections are opened when they are needed, because a server closes idle connections */
    HttpGenerator(int port, int connections) throws IOException {
        this.server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.most = connections;
        this.selector = Selector.open();
        this.thread = new Thread(this::run, "http-generator");
        thread.setDaemon(true);
        thread.start();
    }

    /** Sends a whole request. It waits while all connections are busy. */
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
        // The connection that was used last, because its memory is in the CPU's cache.
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
            throw new IllegalStateException("An answer without a request: " + reply.status());
        }
        free.add(connection);
        Request next = waiting.poll();
        if (next != null) {
            start(next);
        }
        done.complete(reply);
    }

    /** Fails the waiting caller now, and the next caller of the connection when it writes. */
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

    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Request(byte[] bytes, CompletableFuture<HttpReply> reply) {}
}
