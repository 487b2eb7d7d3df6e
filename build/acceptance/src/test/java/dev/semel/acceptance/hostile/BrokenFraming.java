// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance.hostile;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Requests that are not HTTP, or that two parsers could read differently. */
final class BrokenFraming {
    private static final String SMUGGLED =
            "POST /v1/claims HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                    + "X-Organization-Id: hostile-tenant\r\nContent-Length: 35\r\n\r\n{\"scope\":\"s\",\"key\":\"smuggled-key-1\"}";

    private static final String CLAIM = "{\"scope\":\"s\",\"key\":\"hostile-key\"}";

    private BrokenFraming() {}

    static List<HostileCase> cases() {
        List<HostileCase> cases = new ArrayList<>();
        lines().forEach((name, line) -> cases.add(HostileCase.framing(name, line)));
        lengths()
                .forEach(
                        (name, headers) -> cases.add(HostileCase.framing(name, post() + headers + "\r\n\r\n" + CLAIM)));
        headers()
                .forEach((name, header) -> cases.add(HostileCase.framing(
                        name, post() + header + "\r\nContent-Length: " + CLAIM.length() + "\r\n\r\n" + CLAIM)));
        smuggling().forEach((name, rest) -> cases.add(HostileCase.framing("smuggling by " + name, post() + rest)));
        chunks().forEach((name, body) ->
                cases.add(HostileCase.framing(name, post() + "Transfer-Encoding: chunked\r\n\r\n" + body)));
        protocols().forEach((name, text) -> cases.add(HostileCase.protocol(name, text)));
        torn().forEach((name, rest) -> cases.add(HostileCase.torn(name, rest)));
        return cases;
    }

    private static String post() {
        return """
                POST /v1/claims HTTP/1.1\r
                Host: 127.0.0.1\r
                Connection: close\r
                Content-Type: application/json\r
                X-Organization-Id: hostile-tenant\r
                """;
    }

    private static Map<String, String> lines() {
        String host = "\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("HTTP/0.9", "GET /health\r\n\r\n");
        lines.put("no address", "GET" + host);
        lines.put("no method", " /health HTTP/1.1" + host);
        lines.put("HTTP without a version", "GET /health HTTP/" + host);
        lines.put("HTTP with a word for a version", "GET /health HTTP/one.one" + host);
        lines.put("a method with a control character", "G\u0001T /health HTTP/1.1" + host);
        lines.put("a method with a NUL", "GE\u0000T /health HTTP/1.1" + host);
        lines.put("a method with a bracket", "G(E)T /health HTTP/1.1" + host);
        lines.put("a method of 20,000 letters", "G".repeat(20_000) + " /health HTTP/1.1" + host);
        lines.put("an address with a NUL", "GET /hea\u0000lth HTTP/1.1" + host);
        lines.put("an address with bytes beyond ASCII", "GET /h\u00e9alth HTTP/1.1" + host);
        lines.put("an address without a slash", "GET health HTTP/1.1" + host);
        lines.put("an address with a fragment", "GET /nowhere#x HTTP/1.1" + host);
        lines.put("an asterisk", "GET * HTTP/1.1" + host);
        lines.put("a tunnel", "CONNECT example.com:443 HTTP/1.1" + host);
        lines.put(
                "another server",
                "GET http://example.com/health HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n");
        lines.put(
                "the hello of TLS",
                "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003" + "\u0000".repeat(64)
                        + "\r\n\r\n");
        lines.put("a banner of SSH", "SSH-2.0-OpenSSH_9.0\r\n\r\n");
        lines.put("a command of Redis", "*1\r\n$4\r\nPING\r\n\r\n");
        lines.put("a proxy's header", "PROXY TCP4 10.0.0.1 10.0.0.2 1 2\r\nGET /health HTTP/1.1" + host);
        lines.put("NULs", "\u0000".repeat(64) + "\r\n\r\n");
        lines.put("random bytes", "\u00f0\u009f\u0092\u00a9\u0001\u0002\u0003\r\n\r\n");
        lines.put("no Host", "GET /health HTTP/1.1\r\nConnection: close\r\n\r\n");
        lines.put("two Hosts", "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: 127.0.0.1" + host);
        lines.put("an empty Host", "GET /health HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n");
        lines.put("a Host with a path", "GET /health HTTP/1.1\r\nHost: 127.0.0.1/x\r\nConnection: close\r\n\r\n");
        lines.put("a Host with a user", "GET /health HTTP/1.1\r\nHost: a@127.0.0.1\r\nConnection: close\r\n\r\n");
        return lines;
    }

    private static Map<String, String> protocols() {
        String host = "\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
        Map<String, String> protocols = new LinkedHashMap<>();
        protocols.put("HTTP/9.9", "GET /health HTTP/9.9" + host);
        protocols.put("another protocol", "GET /health GOPHER/1.0" + host);
        protocols.put("the preface of HTTP/2 and garbage", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + "\u00ff".repeat(64));
        return protocols;
    }

    private static Map<String, String> lengths() {
        Map<String, String> lengths = new LinkedHashMap<>();
        for (String bad :
                List.of("-1", "+33", "0x21", "33.0", "33x", "x", "", "3 3", "99999999999999999999", "1e2", "\u0663")) {
            lengths.put("a length of '%s'".formatted(bad), "Content-Length: " + bad);
        }
        lengths.put("two lengths", "Content-Length: 33\r\nContent-Length: 34");
        lengths.put("two lengths in one", "Content-Length: 33, 34");
        lengths.put("a length and a negative one", "Content-Length: 33\r\nContent-Length: -33");
        return lengths;
    }

    private static Map<String, String> headers() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("a header without a colon", "NoColonHere");
        headers.put("a header without a name", ": value");
        headers.put("a blank in a header's name", "X Header: value");
        headers.put("a blank before the colon", "X-Header : value");
        headers.put("a NUL in a header's name", "X-\u0000Header: value");
        headers.put("a bracket in a header's name", "X-(Header): value");
        headers.put("a control character in a header's name", "X-\u0001Header: value");
        headers.put("a byte beyond ASCII in a header's name", "X-H\u00e9ader: value");
        headers.put("a NUL in a header's value", "X-Header: va\u0000lue");
        headers.put("a bare carriage return in a value", "X-Header: va\rlue");
        headers.put("a control character in a value", "X-Header: va\u0001lue");
        return headers;
    }

    private static Map<String, String> smuggling() {
        String chunked = "21\r\n" + CLAIM + "\r\n0\r\n\r\n";
        Map<String, String> ways = new LinkedHashMap<>();
        ways.put("length and chunks", "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked + SMUGGLED);
        ways.put("chunks and length", "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n" + chunked + SMUGGLED);
        ways.put("an unknown coding", "Transfer-Encoding: xchunked\r\n\r\n" + chunked + SMUGGLED);
        ways.put("a coding after chunks", "Transfer-Encoding: chunked, gzip\r\n\r\n" + chunked + SMUGGLED);
        ways.put("chunks twice", "Transfer-Encoding: chunked, chunked\r\n\r\n" + chunked + SMUGGLED);
        ways.put("identity", "Transfer-Encoding: identity\r\nContent-Length: 4\r\n\r\n" + chunked + SMUGGLED);
        ways.put(
                "two codings",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n" + chunked + SMUGGLED);
        ways.put(
                "a blank before the colon",
                "Transfer-Encoding : chunked\r\nContent-Length: 4\r\n\r\n" + chunked + SMUGGLED);
        ways.put(
                "a vertical tab", "Transfer-Encoding: \u000bchunked\r\nContent-Length: 4\r\n\r\n" + chunked + SMUGGLED);
        ways.put("a quoted coding", "Transfer-Encoding: \"chunked\"\r\nContent-Length: 4\r\n\r\n" + chunked + SMUGGLED);
        return ways;
    }

    private static Map<String, String> chunks() {
        Map<String, String> bodies = new LinkedHashMap<>();
        bodies.put("a chunk of no size", "\r\n" + CLAIM + "\r\n0\r\n\r\n");
        bodies.put("a chunk of a word's size", "xyz\r\n" + CLAIM + "\r\n0\r\n\r\n");
        bodies.put("a chunk of a negative size", "-21\r\n" + CLAIM + "\r\n0\r\n\r\n");
        bodies.put("a chunk of a huge size", "ffffffffffffffff\r\n" + CLAIM + "\r\n0\r\n\r\n");
        bodies.put("a chunk of a size beyond 64 bits", "10000000000000021\r\n" + CLAIM + "\r\n0\r\n\r\n");
        bodies.put("a chunk size with 0x", "0x21\r\n" + CLAIM + "\r\n0\r\n\r\n");
        bodies.put("a chunk that is longer than it says", "5\r\n" + CLAIM + "\r\n0\r\n\r\n");
        bodies.put("a chunk size of 100,000 digits", "0".repeat(100_000) + "21\r\n" + CLAIM + "\r\n0\r\n\r\n");
        bodies.put("a trailer without a colon", "21\r\n" + CLAIM + "\r\n0\r\nNoColonHere\r\n\r\n");
        bodies.put(
                "a trailer of 100,000 characters",
                "21\r\n" + CLAIM + "\r\n0\r\nX: " + "x".repeat(100_000) + "\r\n\r\n");
        return bodies;
    }

    private static Map<String, String> torn() {
        Map<String, String> torn = new LinkedHashMap<>();
        torn.put("hung up at once", "");
        torn.put("hung up in the method", "PO");
        torn.put("hung up in the address", "POST /v1/cla");
        torn.put("hung up in a header", "POST /v1/claims HTTP/1.1\r\nHost: 127.");
        torn.put("hung up after the headers", post() + "Content-Length: 33\r\n\r\n");
        torn.put("hung up in the body", post() + "Content-Length: 33\r\n\r\n" + CLAIM.substring(0, 20));
        torn.put("hung up one byte before the end", post() + "Content-Length: 34\r\n\r\n" + CLAIM);
        torn.put("hung up in a chunk", post() + "Transfer-Encoding: chunked\r\n\r\n21\r\n" + CLAIM.substring(0, 20));
        torn.put("hung up before the last chunk", post() + "Transfer-Encoding: chunked\r\n\r\n21\r\n" + CLAIM + "\r\n");
        torn.put(
                "hung up in the last chunk", post() + "Transfer-Encoding: chunked\r\n\r\n21\r\n" + CLAIM + "\r\n0\r\n");
        return torn;
    }

    /** Requests that stop in the middle and never continue. */
    static List<HostileCase> slow() {
        Map<String, String> stalls = new LinkedHashMap<>(torn());
        List<HostileCase> cases = new ArrayList<>();
        stalls.forEach((name, text) -> cases.add(HostileCase.slow(name.replace("hung up", "stalled"), text)));
        return cases;
    }
}
