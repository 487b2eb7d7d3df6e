// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The network between the nodes of a {@link MySqlCluster}, which can be divided. Clients are not affected.
 *
 * <p>A node listens on 127.0.0.1 and tells the others its address as [::1], with the same port. There this network listens, and
 * connects to the node. It recognizes the sender by the user that logs in, because each node has a user of its own.
 *
 * <p>What is sent between separated nodes is held back until they are joined again, as TCP would repeat it.
 */
final class GroupNetwork implements AutoCloseable {
    private static final int CHUNK = 64 * 1024;
    private static final int HEADER = 4;

    /** In a client's first packet, after its header: capabilities, maximum size, character set and 23 reserved bytes. */
    private static final int BEFORE_USER = 32;

    private static final String USER = "node";

    private final List<ServerSocket> sockets = new ArrayList<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Set<Integer> separated = new HashSet<>();
    private boolean closed;

    /** The name of a node's own user. */
    static String user(int node) {
        return USER + node;
    }

    /** The address at which the others reach a node that listens on this port. */
    static String address(int port) {
        return "[::1]:" + port;
    }

    /** Begins to forward to the node with this number, the next one, which listens on this port. */
    void add(int port) {
        int node = sockets.size();
        try {
            ServerSocket socket = new ServerSocket(port, 50, Loopback.ofVersion6());
            sockets.add(socket);
            daemon(() -> accept(socket, node, port));
        } catch (IOException e) {
            throw new UncheckedIOException("The loopback address ::1 is needed", e);
        }
    }

    /** Separates a node from all others. */
    synchronized void separate(int node) {
        separated.add(node);
    }

    /** Ends all separations. */
    synchronized void join() {
        separated.clear();
        notifyAll();
    }

    private synchronized void awaitJoined(int sender, int receiver) throws IOException {
        try {
            while (!closed && sender != receiver && (separated.contains(sender) || separated.contains(receiver))) {
                wait();
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private void accept(ServerSocket socket, int node, int port) {
        while (true) {
            try {
                Socket sender = socket.accept();
                daemon(() -> connect(sender, node, port));
            } catch (IOException end) {
                return;
            }
        }
    }

    private void connect(Socket sender, int node, int port) {
        open.add(sender);
        try (sender;
                Socket receiver = new Socket(Loopback.address(), port)) {
            open.add(receiver);
            sender.setTcpNoDelay(true);
            receiver.setTcpNoDelay(true);
            byte[] greeting = packet(receiver.getInputStream());
            sender.getOutputStream().write(greeting);
            byte[] login = packet(sender.getInputStream());
            int from = senderOf(login);
            awaitJoined(from, node);
            receiver.getOutputStream().write(login);
            daemon(() -> {
                pump(receiver, sender, node, from);
                close(sender);
            });
            pump(sender, receiver, from, node);
            open.remove(receiver);
        } catch (IOException end) {
            // The node is down, or a connection has ended: then both have.
        }
        open.remove(sender);
    }

    private void pump(Socket from, Socket to, int sender, int receiver) {
        byte[] buffer = new byte[CHUNK];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                awaitJoined(sender, receiver);
                out.write(buffer, 0, read);
            }
        } catch (IOException end) {
            // One of the two has ended.
        }
    }

    /** Reads one packet of MySQL's protocol: three bytes of length, the smallest first, a number, and the content. */
    private static byte[] packet(InputStream in) throws IOException {
        byte[] header = in.readNBytes(HEADER);
        if (header.length < HEADER) {
            throw new IOException("The connection has ended");
        }
        int length = (header[0] & 0xff) | (header[1] & 0xff) << 8 | (header[2] & 0xff) << 16;
        byte[] packet = new byte[HEADER + length];
        System.arraycopy(header, 0, packet, 0, HEADER);
        if (in.readNBytes(packet, HEADER, length) < length) {
            throw new IOException("The connection has ended");
        }
        return packet;
    }

    private static int senderOf(byte[] login) throws IOException {
        int begin = HEADER + BEFORE_USER;
        int end = begin;
        while (end < login.length && login[end] != 0) {
            end++;
        }
        String user = end <= begin ? "" : new String(login, begin, end - begin, StandardCharsets.ISO_8859_1);
        if (!user.startsWith(USER)) {
            throw new IOException("Not a node's user: " + user);
        }
        return Integer.parseInt(user.substring(USER.length()));
    }

    private static void daemon(Runnable runnable) {
        Thread thread = new Thread(runnable, "group network");
        thread.setDaemon(true);
        thread.start();
    }

    private static void close(AutoCloseable socket) {
        try {
            socket.close();
        } catch (Exception e) {
            // It is closed.
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        sockets.forEach(GroupNetwork::close);
        open.forEach(GroupNetwork::close);
    }
}
