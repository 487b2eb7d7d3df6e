// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * An attacker: opens connections from its own address, sends something, and keeps the connections open as long as the server
 * allows. At its maximum number of connections it closes the oldest one before it opens the next.
 */
final class Attacker implements Runnable {
    private static final long PAUSE_NANOS = Integer.getInteger("semel.attack.pause", 0) * 1_000_000L;

    private final String name;
    private final int port;
    private final InetAddress address;
    private final int connections;
    private final byte[] request;
    private final boolean reads;
    private final long until;
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong refusals = new AtomicLong();
    private final Deque<Socket> open = new ArrayDeque<>();

    /**
     * @param connections how many it keeps open
     * @param reads whether it waits for a response and reads it before it continues
     * @param until in nanoseconds
     */
    Attacker(String name, int port, String address, int connections, byte[] request, boolean reads, long until) {
        this.name = name;
        this.port = port;
        this.address = inet(address);
        this.connections = connections;
        this.request = request.clone();
        this.reads = reads;
        this.until = until;
    }

    private static InetAddress inet(String address) {
        try {
            return InetAddress.getAllByName(address)[0];
        } catch (UnknownHostException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void run() {
        try {
            while (System.nanoTime() < until) {
                once();
            }
        } finally {
            open.forEach(Attacker::close);
        }
    }

    private void once() {
        if (PAUSE_NANOS > 0) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        if (open.size() >= connections) {
            close(open.remove());
        }
        try {
            Socket socket = new Socket(inet("127.0.0.1"), port, address, 0);
            open.add(socket);
            socket.setSoTimeout(2_000);
            OutputStream out = socket.getOutputStream();
            out.write(request);
            out.flush();
            sent.incrementAndGet();
            if (reads) {
                read(socket.getInputStream());
            }
        } catch (IOException refused) {
            // The server closed the connection, as it should. The attacker tries again.
            refusals.incrementAndGet();
        }
    }

    /** Reads the first bytes of a response. */
    private static void read(InputStream in) throws IOException {
        in.readNBytes(64);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How many requests it has sent. */
    long sent() {
        return sent.get();
    }

    @Override
    public String toString() {
        return name + " " + sent + " (refused " + refusals + ")";
    }
}
