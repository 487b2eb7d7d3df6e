// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;

/** A service in a separate process, which can be killed during a response. It prints the key of each request. */
final class Till implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;

    private Till(Process process) {
        this.process = process;
        this.output = process.inputReader(StandardCharsets.US_ASCII);
    }

    /** Starts the service, which then listens on this port. A whole one completes its responses. */
    static Till on(int port, boolean whole) {
        try {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx32m",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            Path.of(Till.class
                                            .getProtectionDomain()
                                            .getCodeSource()
                                            .getLocation()
                                            .getPath())
                                    .toString(),
                            Till.class.getName(),
                            Integer.toString(port),
                            Boolean.toString(whole))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            Till till = new Till(process);
            till.next();
            return till;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The key of the next request. */
    String next() {
        try {
            String line = output.readLine();
            if (line == null) {
                throw new AssertionError("The service has ended");
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends SIGKILL and waits for the end. */
    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }

    public static void main(String[] arguments) throws IOException {
        boolean whole = Boolean.parseBoolean(arguments[1]);
        try (ServerSocket socket =
                new ServerSocket(Integer.parseInt(arguments[0]), 50, InetAddress.getLoopbackAddress())) {
            say("ready");
            while (true) {
                Socket client = socket.accept();
                serve(client, whole);
            }
        }
    }

    private static void serve(Socket client, boolean whole) throws IOException {
        BufferedReader in =
                new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.ISO_8859_1));
        String key = "";
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
            if (line.toLowerCase(Locale.ROOT).startsWith("idempotency-key:")) {
                key = line.substring(line.indexOf(':') + 1).strip();
            }
        }
        OutputStream out = client.getOutputStream();
        out.write("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 8\r\n\r\nhalf"
                .getBytes(StandardCharsets.US_ASCII));
        out.flush();
        if (whole) {
            out.write("half".getBytes(StandardCharsets.US_ASCII));
            client.close();
        }
        say(key);
    }

    @SuppressWarnings("SystemOut")
    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
