// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** The part of Redis' protocol that shows whether a server is running and has a key. */
final class RedisConnection implements Closeable {

    private static final int TIMEOUT_MILLIS = 5_000;
    private static final String NO_SUCH_KEY = "$-1";

    private final Socket socket = new Socket();
    private final InputStream in;

    RedisConnection(int port, String password) throws IOException {
        try {
            socket.connect(new InetSocketAddress(Loopback.address(), port), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            in = new BufferedInputStream(socket.getInputStream());
            call("AUTH", password);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * Sends a command whose answer is a number or a string of one line, and returns that answer.
     *
     * @throws IOException if the answer is an error or of another kind
     */
    String call(String... words) throws IOException {
        StringBuilder request = new StringBuilder("*%d\r\n".formatted(words.length));
        for (String word : words) {
            int length = word.getBytes(StandardCharsets.UTF_8).length;
            request.append("$%d\r\n%s\r\n".formatted(length, word));
        }
        socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.UTF_8));
        String answer = readLine();
        if (answer.startsWith("+") || answer.startsWith(":")) {
            return answer.substring(1);
        }
        if (answer.startsWith("$") && !answer.equals(NO_SUCH_KEY)) {
            return readLine();
        }
        throw new IOException("Redis answered " + answer + " to " + words[0]);
    }

    private String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("Redis closed the connection");
            }
            line.append((char) next);
        }
        return line.toString().stripTrailing();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
