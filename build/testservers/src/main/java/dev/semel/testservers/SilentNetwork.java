// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.netcrusher.core.reactor.NioReactor;
import org.netcrusher.tcp.TcpCrusher;

/**
 * A network between client and database that becomes silent at a commit: the connection stays open, but nothing is
 * transmitted any more. The client cannot know whether the database committed.
 */
public final class SilentNetwork implements AutoCloseable {
    /** What is lost. */
    public enum At {
        /** The commit reaches the database, and its answer is lost. */
        AFTER_COMMIT,
        /** The commit itself is lost. */
        BEFORE_COMMIT
    }

    private static final int LOSS_SECONDS = 60;

    private final int serverPort;
    private final Pattern commit;
    private final NioReactor reactor = new NioReactor();
    private final TcpCrusher crusher;
    private final Set<InetSocketAddress> silent = ConcurrentHashMap.newKeySet();
    private final Set<InetSocketAddress> cut = ConcurrentHashMap.newKeySet();
    private final BlockingQueue<InetSocketAddress> losses = new LinkedBlockingQueue<>();
    private final AtomicInteger commitsUntilSilence = new AtomicInteger(Integer.MAX_VALUE);
    private volatile At at = At.AFTER_COMMIT;

    /** @param commit matches the bytes of a commit */
    public SilentNetwork(DatabaseServer server, Pattern commit) throws IOException {
        this.serverPort = server.port();
        this.commit = commit;
        crusher = LoopbackProxy.to(server.port(), reactor)
                .withOutgoingTransformFilterFactory(client -> bytes -> outgoing(client, bytes))
                .withIncomingTransformFilterFactory(client -> bytes -> incoming(client, bytes))
                .buildAndOpen();
    }

    /** The port of the server itself. */
    int serverPort() {
        return serverPort;
    }

    /** The port at which the server is reached by way of this network. */
    public int port() {
        return crusher.getBindAddress().getPort();
    }

    /** Becomes silent at the n-th commit from now, on the connection of that commit only. */
    public void fallSilentAtCommit(int n, At when) {
        at = when;
        commitsUntilSilence.set(n);
    }

    /** How many connections are silent. */
    public int silences() {
        return silent.size();
    }

    public boolean isSilent() {
        return !silent.isEmpty();
    }

    /** Waits until the commit or its answer is lost, and ends that connection. Without this, the client waits for its timeout. */
    public void disconnectAfterLoss() throws InterruptedException {
        InetSocketAddress client = losses.poll(LOSS_SECONDS, TimeUnit.SECONDS);
        if (client == null) {
            throw new AssertionError("No commit was lost within %d s".formatted(LOSS_SECONDS));
        }
        crusher.closeClient(client);
    }

    private void lose(InetSocketAddress client, ByteBuffer bytes) {
        bytes.limit(bytes.position());
        if (cut.add(client)) {
            losses.add(client);
        }
    }

    private void outgoing(InetSocketAddress client, ByteBuffer bytes) {
        String text = StandardCharsets.ISO_8859_1.decode(bytes.duplicate()).toString();
        if (commit.matcher(text).find() && commitsUntilSilence.decrementAndGet() == 0) {
            silent.add(client);
            if (at == At.BEFORE_COMMIT) {
                lose(client, bytes);
            }
        } else if (silent.contains(client)) {
            lose(client, bytes);
        }
    }

    private void incoming(InetSocketAddress client, ByteBuffer bytes) {
        if (silent.contains(client)) {
            lose(client, bytes);
        }
    }

    @Override
    public void close() {
        crusher.close();
        reactor.close();
    }
}
