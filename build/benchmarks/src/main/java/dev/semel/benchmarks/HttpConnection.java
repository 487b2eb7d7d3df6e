// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A persistent connection with at most one open request. Only its generator's thread uses it. */
final class HttpConnection {
    private static final int WRITTEN_AT_ONCE = 64 << 10;

    private final SocketChannel channel;
    private final SelectionKey key;
    private byte[] received = new byte[8 << 10];
    private int size;
    private @Nullable ByteBuffer unsent;
    private @Nullable CompletableFuture<HttpReply> waiting;

    HttpConnection(InetSocketAddress server, Selector selector) throws IOException {
        channel = SocketChannel.open(server);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        key = channel.register(selector, SelectionKey.OP_READ, this);
    }

    void send(byte[] request, CompletableFuture<HttpReply> reply) throws IOException {
        waiting = reply;
        unsent = ByteBuffer.wrap(request);
        write();
    }

    private void write() throws IOException {
        ByteBuffer rest = unsent;
        int interest = SelectionKey.OP_READ;
        while (rest != null && rest.hasRemaining()) {
            // In parts, because the JDK copies the whole buffer even if the socket accepts little of it.
            ByteBuffer part = rest.slice(rest.position(), Math.min(rest.remaining(), WRITTEN_AT_ONCE));
            int written = channel.write(part);
            rest.position(rest.position() + written);
            if (written == 0) {
                interest |= SelectionKey.OP_WRITE;
                break;
            }
        }
        if (key.interestOps() != interest) {
            key.interestOps(interest);
        }
    }

    /**
     * Writes and reads as much as the socket allows.
     *
     * @param buffer shared by all connections, empty before and after
     * @return the answer if it is complete now; its caller has not received it yet
     */
    @Nullable
    HttpReply ready(ByteBuffer buffer) throws IOException {
        if (key.isWritable()) {
            write();
        }
        return key.isReadable() ? read(buffer) : null;
    }

    private @Nullable HttpReply read(ByteBuffer buffer) throws IOException {
        buffer.clear();
        int count = channel.read(buffer);
        if (count < 0) {
            throw new EOFException("The server closed a connection");
        }
        buffer.flip();
        if (size + count > received.length) {
            received = Arrays.copyOf(received, Math.max(2 * received.length, size + count));
        }
        buffer.get(received, size, count);
        size += count;
        HttpReply reply = HttpReply.parse(received, size);
        if (reply != null) {
            if (unsent == null || unsent.hasRemaining()) {
                throw new IOException(
                        "The server answered before the request was complete: " + reply.status() + " " + reply.text());
            }
            size = 0;
        }
        return reply;
    }

    /** Removes and returns the caller that waits for the answer. */
    @Nullable
    CompletableFuture<HttpReply> done() {
        CompletableFuture<HttpReply> done = waiting;
        waiting = null;
        unsent = null;
        return done;
    }

    void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
