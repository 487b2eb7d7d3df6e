// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.proxy;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A target service that responds with exactly the given bytes and records requests. */
final class TargetService implements AutoCloseable {
    private final ServerSocket socket;
    private final Behaviour behaviour;
    private final List<Arrived> arrived = new CopyOnWriteArrayList<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    /** A received request. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Arrived(String line, Map<String, List<String>> headers, byte[] body) {
        String header(String name) {
            List<String> all = headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
            return String.join(" | ", all);
        }
    }

    /** Handles a request: writes a response or a part of it. Returns whether the connection stays open. */
    interface Behaviour {
        boolean answer(Arrived request, OutputStream out) throws IOException;
    }

    TargetService(Behaviour behaviour) {
        this.behaviour = behaviour;
        try {
            this.socket = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    static boolean answer(OutputStream out, String head, byte[] body) throws IOException {
        out.write(("HTTP/1.1 " + head + "\r\nContent-Length: " + body.length + "\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1));
        out.write(body);
        out.flush();
        return true;
    }

    static boolean answer(OutputStream out, String head, String body) throws IOException {
        return answer(out, head, body.getBytes(StandardCharsets.UTF_8));
    }

    String url() {
        return "http://127.0.0.1:" + socket.getLocalPort();
    }

    List<Arrived> arrived() {
        return arrived;
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                open.add(client);
                start(() -> serve(client));
            } catch (IOException e) {
                return;
            }
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "service");
        thread.setDaemon(true);
        thread.start();
    }

    private void serve(Socket client) {
        try (client) {
            InputStream in = new BufferedInputStream(client.getInputStream());
            boolean goesOn = true;
            while (goesOn) {
                Arrived request = read(in);
                if (request == null) {
                    return;
                }
                arrived.add(request);
                goesOn = behaviour.answer(request, client.getOutputStream());
            }
            client.setSoLinger(true, 0);
        } catch (IOException e) {
            // The proxy closed the connection.
        } finally {
            open.remove(client);
        }
    }

    private static Arrived read(InputStream in) throws IOException {
        String line = line(in);
        if (line.isEmpty()) {
            return null;
        }
        Map<String, List<String>> headers = new LinkedHashMap<>();
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            int colon = header.indexOf(':');
            headers.computeIfAbsent(header.substring(0, colon).toLowerCase(Locale.ROOT), name -> new ArrayList<>())
                    .add(header.substring(colon + 1).strip());
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        if (headers.containsKey("transfer-encoding")) {
            for (int size = Integer.parseInt(line(in), 16); size > 0; size = Integer.parseInt(line(in), 16)) {
                body.write(in.readNBytes(size));
                line(in);
            }
            line(in);
        } else if (headers.containsKey("content-length")) {
            body.write(
                    in.readNBytes(Integer.parseInt(headers.get("content-length").get(0))));
        }
        return new Arrived(line, headers, body.toByteArray());
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != -1 && c != '\n'; c = in.read()) {
            line.append((char) c);
        }
        return line.toString().stripTrailing();
    }

    @Override
    public void close() {
        try {
            socket.close();
            for (Socket client : open) {
                client.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
