// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.tracing;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** A collector that receives OTLP over HTTP, and reads of its messages what the tests need. */
final class SpanCollector implements AutoCloseable {
    private final HttpServer server;
    private final List<Received> spans = new CopyOnWriteArrayList<>();
    private final List<String> services = new CopyOnWriteArrayList<>();

    /** A span. The parent's id is empty if it has none. */
    record Received(String trace, String id, String parent, String name, Map<String, String> attributes) {
        String attribute(String key) {
            return attributes.getOrDefault(key, "");
        }
    }

    SpanCollector() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", exchange -> {
            for (byte[] resourceSpans :
                    fields(exchange.getRequestBody().readAllBytes()).getOrDefault(1, List.of())) {
                read(resourceSpans);
            }
            exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** All spans of one trace. */
    List<Received> trace(String id) {
        return spans.stream().filter(span -> span.trace().equals(id)).toList();
    }

    List<Received> spans() {
        return spans;
    }

    List<String> services() {
        return services;
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void read(byte[] resourceSpans) {
        Map<Integer, List<byte[]>> all = fields(resourceSpans);
        services.add(
                attributes(fields(first(all, 1)).getOrDefault(1, List.of())).getOrDefault("service.name", ""));
        for (byte[] scopeSpans : all.getOrDefault(2, List.of())) {
            for (byte[] span : fields(scopeSpans).getOrDefault(2, List.of())) {
                Map<Integer, List<byte[]>> fields = fields(span);
                spans.add(new Received(
                        HexFormat.of().formatHex(first(fields, 1)),
                        HexFormat.of().formatHex(first(fields, 2)),
                        HexFormat.of().formatHex(first(fields, 4)),
                        text(first(fields, 5)),
                        attributes(fields.getOrDefault(9, List.of()))));
            }
        }
    }

    private static Map<String, String> attributes(List<byte[]> pairs) {
        Map<String, String> attributes = new LinkedHashMap<>();
        for (byte[] pair : pairs) {
            Map<Integer, List<byte[]>> fields = fields(pair);
            Map<Integer, List<byte[]>> value = fields(first(fields, 2));
            // A string is field 1, a whole number field 3.
            attributes.put(text(first(fields, 1)), text(first(value, value.containsKey(1) ? 1 : 3)));
        }
        return attributes;
    }

    private static byte[] first(Map<Integer, List<byte[]>> fields, int number) {
        return fields.getOrDefault(number, List.of(new byte[0])).get(0);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Reads the fields of a protobuf message. A number is returned as its decimal text. */
    private static Map<Integer, List<byte[]>> fields(byte[] message) {
        Map<Integer, List<byte[]>> fields = new LinkedHashMap<>();
        int[] at = {0};
        while (at[0] < message.length) {
            long tag = varint(message, at);
            byte[] value = switch ((int) (tag & 7)) {
                case 0 -> Long.toString(varint(message, at)).getBytes(StandardCharsets.UTF_8);
                case 1 -> bytes(message, at, 8);
                case 2 -> bytes(message, at, (int) varint(message, at));
                case 5 -> bytes(message, at, 4);
                default -> throw new IllegalArgumentException("Wire type " + (tag & 7));
            };
            fields.computeIfAbsent((int) (tag >> 3), first -> new ArrayList<>()).add(value);
        }
        return fields;
    }

    private static byte[] bytes(byte[] message, int[] at, int length) {
        byte[] value = new byte[length];
        System.arraycopy(message, at[0], value, 0, length);
        at[0] += length;
        return value;
    }

    private static long varint(byte[] message, int[] at) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = message[at[0]++];
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }
}
