// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A front end of DynamoDB Local on 127.0.0.1 that fails as the real service and the way to it fail: for a share of the requests, and for
 * a while. Its clock may be wrong by a fixed amount.
 */
public final class DynamoFaultProxy implements AutoCloseable {
    private static final int MOST_CONNECTIONS = 1_000;
    private static final int MOST_DELAYED = 64;
    private static final int LATEST_ANSWER_MILLIS = 3_000;
    private static final int LATEST_COPY_MILLIS = 2_000;
    private static final int SILENCE_MILLIS = 30_000;
    private static final int CONNECT_MILLIS = 2_000;

    private final int target;
    private final Duration clock;
    private final ServerSocket socket;
    private final Map<DynamoFault, Rule> rules = new ConcurrentHashMap<>();
    private final Map<DynamoFault, AtomicLong> struck = new ConcurrentHashMap<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Semaphore delayed = new Semaphore(MOST_DELAYED);

    /** @param until in {@link System#nanoTime} */
    private record Rule(int percent, long until) {}

    /**
     * @param target the port of DynamoDB Local
     * @param clock how far the dates of all answers are wrong
     */
    public DynamoFaultProxy(int target, Duration clock) throws IOException {
        this.target = target;
        this.clock = clock;
        this.socket = new ServerSocket(0, 50, Loopback.address());
        daemon(this::accept).start();
    }

    public int port() {
        return socket.getLocalPort();
    }

    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + port());
    }

    /** From now on, this happens to a share of the requests. */
    public void inject(DynamoFault fault, int percent, Duration duration) {
        rules.put(fault, new Rule(percent, System.nanoTime() + duration.toNanos()));
    }

    /** Ends all faults, but not what has begun. */
    public void heal() {
        rules.clear();
    }

    /** How many requests this has happened to. */
    public long struck(DynamoFault fault) {
        AtomicLong count = struck.get(fault);
        return count == null ? 0 : count.get();
    }

    private static Thread daemon(Runnable runnable) {
        Thread thread = new Thread(runnable, "front end of DynamoDB");
        thread.setDaemon(true);
        return thread;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = socket.accept();
                if (open.size() < MOST_CONNECTIONS) {
                    open.add(client);
                    daemon(() -> serve(client)).start();
                } else {
                    client.close();
                }
            }
        } catch (IOException e) {
            // It is closed.
        }
    }

    private void serve(Socket client) {
        try (client;
                Upstream upstream = new Upstream()) {
            client.setTcpNoDelay(true);
            BufferedInputStream in = new BufferedInputStream(client.getInputStream());
            for (HttpMessage request = HttpMessage.read(in); request != null; request = HttpMessage.read(in)) {
                HttpMessage answer = answer(request, upstream);
                if (answer == null) {
                    client.setSoTimeout(SILENCE_MILLIS);
                    client.getInputStream().read();
                    return;
                }
                answer.write(client.getOutputStream());
            }
        } catch (IOException e) {
            // One side has ended, and so does the other.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(client);
        }
    }

    /** Null if there is none. */
    private @Nullable HttpMessage answer(HttpMessage request, Upstream upstream)
            throws IOException, InterruptedException {
        DynamoRefusals.Kind kind = DynamoRefusals.kindOf(request);
        if (strikes(DynamoFault.THROTTLED)) {
            return dated(DynamoRefusals.throttled());
        }
        if (kind != DynamoRefusals.Kind.READ && strikes(DynamoFault.CONFLICT)) {
            return dated(DynamoRefusals.conflict(kind));
        }
        if (strikes(DynamoFault.ERROR_BEFORE)) {
            return dated(DynamoRefusals.error());
        }
        if (strikes(DynamoFault.TWICE)) {
            twice(request, upstream);
        }
        HttpMessage answer = upstream.ask(request);
        if (strikes(DynamoFault.NO_ANSWER)) {
            return null;
        }
        if (strikes(DynamoFault.ERROR_AFTER)) {
            return dated(DynamoRefusals.error());
        }
        answer = clock.isZero() ? answer : dated(answer);
        if (strikes(DynamoFault.WRONG_DATE)) {
            answer = misdated(answer);
        }
        if (strikes(DynamoFault.SLOW)) {
            Thread.sleep(ThreadLocalRandom.current().nextInt(LATEST_ANSWER_MILLIS));
        }
        return answer;
    }

    private boolean strikes(DynamoFault fault) {
        Rule rule = rules.get(fault);
        boolean strikes = rule != null
                && rule.until() - System.nanoTime() > 0
                && ThreadLocalRandom.current().nextInt(100) < rule.percent();
        if (strikes) {
            struck.computeIfAbsent(fault, any -> new AtomicLong()).incrementAndGet();
        }
        return strikes;
    }

    private void twice(HttpMessage request, Upstream upstream) throws IOException {
        if (ThreadLocalRandom.current().nextBoolean()) {
            upstream.ask(request);
        } else if (delayed.tryAcquire()) {
            daemon(() -> later(request)).start();
        }
    }

    /** A copy that took another way. Nobody reads its answer. */
    private void later(HttpMessage request) {
        try (Upstream other = new Upstream()) {
            Thread.sleep(ThreadLocalRandom.current().nextInt(LATEST_COPY_MILLIS));
            other.ask(request);
        } catch (IOException e) {
            // DynamoDB Local is down, so the copy is lost.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            delayed.release();
        }
    }

    private HttpMessage dated(HttpMessage answer) {
        return at(answer, Instant.now().plus(clock));
    }

    /** Wrong answers do not agree with each other. */
    private HttpMessage misdated(HttpMessage answer) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        if (random.nextInt(3) == 0) {
            return answer.without("Date");
        }
        Duration wrong = Duration.ofMinutes(45).plusMillis(random.nextInt(30 * 60_000));
        return at(answer, Instant.now().plus(clock).plus(random.nextBoolean() ? wrong : wrong.negated()));
    }

    private static HttpMessage at(HttpMessage answer, Instant date) {
        return answer.with("Date", DateTimeFormatter.RFC_1123_DATE_TIME.format(date.atOffset(ZoneOffset.UTC)));
    }

    @Override
    public void close() throws IOException {
        socket.close();
        for (Socket client : open) {
            client.close();
        }
    }

    /** A connection to DynamoDB Local, opened again if it has ended. */
    private final class Upstream implements AutoCloseable {
        private Socket server = new Socket();
        private InputStream answers = InputStream.nullInputStream();

        HttpMessage ask(HttpMessage request) throws IOException {
            if (!server.isConnected() || server.isClosed()) {
                server = new Socket();
                server.setTcpNoDelay(true);
                server.connect(new InetSocketAddress(Loopback.address(), target), CONNECT_MILLIS);
                server.setSoTimeout(SILENCE_MILLIS);
                answers = new BufferedInputStream(server.getInputStream());
            }
            request.write(server.getOutputStream());
            HttpMessage answer = HttpMessage.read(answers);
            if (answer == null) {
                throw new IOException("DynamoDB Local has ended");
            }
            if (answer.header("Connection").orElse("").equalsIgnoreCase("close")) {
                close();
            }
            return answer;
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }
}
