// SPDX-License-Identifier: Apache-2.0
package dev.semel.http.cases;

import dev.semel.http.HeaderLine;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The application of the test cases, independent of any framework. The query of a request says what the request does. The
 * {@code README.md} of the cases describes it for other languages.
 */
public final class CaseApplication {
    private static final int GATE_SECONDS = 30;
    private static final String CONTROL = "/_control/";

    private final Map<String, AtomicInteger> runs = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> gates = new ConcurrentHashMap<>();

    /** An application that has run nothing yet. */
    public CaseApplication() {}

    /**
     * A received request.
     *
     * @param query as it was sent, or empty
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    public record Call(String method, String path, String query, List<HeaderLine> headers, byte[] body) {}

    /** Starts a run, or answers a control request. */
    public Script begin(Call call) {
        CaseParameters parameters = CaseParameters.of(call.query());
        if (call.path().startsWith(CONTROL)) {
            return control(call.path().substring(CONTROL.length()), parameters);
        }
        int run = runs.computeIfAbsent(call.path(), path -> new AtomicInteger()).incrementAndGet();
        List<HeaderLine> headers = new ArrayList<>();
        parameters.all("header").forEach(line -> headers.add(header(line)));
        parameters.all("cookie").forEach(cookie -> headers.add(new HeaderLine("Set-Cookie", cookie)));
        boolean echo = parameters.has("echo");
        parameters
                .one("type")
                .or(() -> echo ? Optional.of("application/json") : Optional.empty())
                .ifPresent(type -> headers.add(new HeaderLine("Content-Type", type)));
        boolean throwing = run <= parameters.number("throw", 0);
        return new Script(
                parameters.statusOf(run),
                List.copyOf(headers),
                parameters.one("flush").map(CaseApplication::utf8),
                echo ? echo(call).utf8() : parameters.body(run),
                parameters.one("hold"),
                throwing ? Script.End.THROW : parameters.has("error") ? Script.End.SEND_ERROR : Script.End.ANSWER);
    }

    private Script control(String what, CaseParameters parameters) {
        if (what.equals("open")) {
            gate(parameters.one("gate").orElseThrow()).countDown();
            return Script.answer(204, "");
        }
        if (what.equals("runs")) {
            AtomicInteger count = runs.get(parameters.one("path").orElseThrow());
            return Script.answer(200, Integer.toString(count == null ? 0 : count.get()));
        }
        return Script.answer(404, "");
    }

    /** Waits until the gate is open. */
    public void pass(String name) {
        try {
            if (!gate(name).await(GATE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("The gate %s was not opened in time".formatted(name));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting at the gate " + name, e);
        }
    }

    private CountDownLatch gate(String name) {
        return gates.computeIfAbsent(name, gate -> new CountDownLatch(1));
    }

    private static HeaderLine header(String line) {
        int colon = line.indexOf(':');
        return new HeaderLine(line.substring(0, colon), line.substring(colon + 1));
    }

    private static JsonObject echo(Call call) {
        List<Json> headers = new ArrayList<>();
        call.headers()
                .forEach(line ->
                        headers.add(new JsonString(line.name().toLowerCase(Locale.ROOT) + ": " + line.value())));
        return new JsonObject.Builder()
                .put("method", new JsonString(call.method()))
                .put("path", new JsonString(call.path()))
                .put("query", new JsonString(call.query()))
                .put("headers", new JsonArray(headers))
                .put("body", new JsonString(Base64.getEncoder().encodeToString(call.body())))
                .build();
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
