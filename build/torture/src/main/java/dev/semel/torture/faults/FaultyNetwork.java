// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/** The network between one worker and the database: a proxy on 127.0.0.1 that can fail in every way a network can. */
public final class FaultyNetwork implements AutoCloseable {
    private static final int CHUNK = 64 * 1024;
    private static final long LOST_AFTER_MILLIS = 40;

    private final IntSupplier target;
    private final ServerSocket socket;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final AtomicInteger answersToLose = new AtomicInteger();
    private volatile long slowUntil;
    private volatile boolean closed;

    /** @param target the port that a new connection leads to */
    public FaultyNetwork(IntSupplier target) throws IOException {
        this.target = target;
        this.socket = new ServerSocket(0, 50, loopback());
        daemon(this::accept).start();
    }

    public int port() {
        return socket.getLocalPort();
    }

    private static InetAddress loopback() throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    }

    private static Thread daemon(Runnable runnable) {
        Thread thread = new Thread(runnable, "network");
        thread.setDaemon(true);
        return thread;
    }

    private void accept() {
        while (!closed) {
            try {
                Socket client = socket.accept();
                daemon(() -> open(client)).start();
            } catch (IOException e) {
                return;
            }
        }
    }

    private void open(Socket client) {
        try {
            client.setTcpNoDelay(true);
            Socket server = new Socket(loopback(), target.getAsInt());
            server.setTcpNoDelay(true);
            Link link = new Link(client, server);
            links.add(link);
            daemon(() -> link.pump(client, server, true)).start();
            link.pump(server, client, false);
        } catch (IOException refused) {
            close(client);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is closed.
        }
    }

    /** Closes all connections. */
    public void cut() {
        links.forEach(Link::cut);
    }

    /** Existing connections transmit nothing any more. New ones work. */
    public void silence(boolean toServer, boolean toClient) {
        links.forEach(link -> {
            link.silentToServer |= toServer;
            link.silentToClient |= toClient;
        });
    }

    /** Existing connections become silent, and the database's side of them stays open even if the worker ends. */
    public void vanish() {
        links.forEach(link -> {
            link.vanished = true;
            link.silentToServer = true;
            link.silentToClient = true;
        });
    }

    /** Everything is held back for this long. */
    public void slow(Duration duration) {
        slowUntil = System.nanoTime() + duration.toNanos();
    }

    /** The next requests arrive, but their answers do not, and their connections end. */
    public void loseAnswers(int count) {
        answersToLose.set(count);
    }

    /** Ends all faults. Silent connections are closed on the worker's side, but vanished ones stay open on the other. */
    public void heal() {
        answersToLose.set(0);
        slowUntil = 0;
        links.forEach(link -> {
            if (link.vanished) {
                close(link.client);
            } else if (link.silentToServer || link.silentToClient) {
                link.cut();
            }
        });
    }

    @Override
    public void close() {
        closed = true;
        try {
            socket.close();
        } catch (IOException e) {
            // It is closed.
        }
        cut();
    }

    /** One connection of the worker and the one to the database that belongs to it. */
    private final class Link {
        private final Socket client;
        private final Socket server;
        private volatile boolean silentToServer;
        private volatile boolean silentToClient;
        private volatile boolean vanished;

        private Link(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        private void pump(Socket from, Socket to, boolean toServer) {
            byte[] buffer = new byte[CHUNK];
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                    awaitSpeed();
                    if (toServer ? silentToServer : silentToClient) {
                        continue;
                    }
                    boolean lost = toServer && answersToLose.get() > 0 && answersToLose.getAndDecrement() > 0;
                    if (lost) {
                        silentToClient = true;
                    }
                    out.write(buffer, 0, read);
                    if (lost) {
                        Thread.sleep(LOST_AFTER_MILLIS);
                        break;
                    }
                }
            } catch (IOException e) {
                // One side has ended, and so does the other.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (vanished) {
                close(client);
            } else {
                cut();
            }
        }

        private void awaitSpeed() throws InterruptedException {
            long left = slowUntil - System.nanoTime();
            if (left > 0) {
                Thread.sleep(left / 1_000_000 + 1);
            }
        }

        private void cut() {
            FaultyNetwork.close(client);
            FaultyNetwork.close(server);
            links.remove(this);
        }
    }
}
