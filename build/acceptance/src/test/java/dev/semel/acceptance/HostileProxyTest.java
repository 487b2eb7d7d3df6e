// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.acceptance.hostile.HostileCase;
import dev.semel.acceptance.hostile.HostileCorpus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Hostile requests to the proxy: the service receives one request or none, and never a second one hidden inside it. */
@BlackBox
class HostileProxyTest {
    private static final String KEYED = "with a key, ";
    private static final int FEWEST = 300;
    private static final int AT_ONCE = 32;

    @AutoClose
    private final Bank bank = new Bank();

    @Test
    void nothingReachesTheServiceTwiceOrSplit() {
        List<HostileCase> cases = cases();
        assertThat(cases).hasSizeGreaterThanOrEqualTo(FEWEST);
        try (SemelProcess proxy = SemelProcess.start(launch())) {
            List<String> wrong = new ArrayList<>();
            List<RawExchange> exchanges = new ArrayList<>();
            for (int from = 0; from < cases.size(); from += AT_ONCE) {
                List<HostileCase> some = cases.subList(from, Math.min(from + AT_ONCE, cases.size()));
                exchanges.addAll(Crowd.of(some.size(), i -> RawExchange.send(proxy.port(), some.get(i))));
            }
            for (int i = 0; i < cases.size(); i++) {
                if (!exchanges.get(i).ended()) {
                    wrong.add(cases.get(i) + ": the connection is left open");
                }
                // Without a key a body is streamed. A client that does not send it is disconnected.
                if (cases.get(i).kind() == HostileCase.Kind.CONTENT
                        && cases.get(i).name().startsWith(KEYED)
                        && exchanges.get(i).answers() == 0) {
                    wrong.add(cases.get(i) + ": no answer");
                }
                if (exchanges.get(i).answers() > 1) {
                    wrong.add("%s: %d answers"
                            .formatted(cases.get(i), exchanges.get(i).answers()));
                }
                String path = " " + path(i);
                List<String> arrived = bank.requests().stream()
                        .filter(request -> request.contains(path))
                        .toList();
                if (arrived.size() > 1) {
                    wrong.add("%s: %d requests arrived".formatted(cases.get(i), arrived.size()));
                }
            }
            bank.requests().stream()
                    .filter(request -> !request.split(" ", 3)[1].startsWith("/pay/hostile/"))
                    .forEach(request -> wrong.add("left its route: " + request));
            assertThat(wrong).as("%d of %d cases", wrong.size(), cases.size()).isEmpty();
            assertThat(proxy.isAlive()).isTrue();
            assertThat(bank.requests()).as("many are valid HTTP and arrive").hasSizeGreaterThan(100);
        }
    }

    /** The cases of the server's own endpoints, sent to the proxy with a key and without one. */
    private static List<HostileCase> cases() {
        List<HostileCase> all = new ArrayList<>();
        for (HostileCase hostile : HostileCorpus.development()) {
            if (isForAnother(hostile)) {
                continue;
            }
            String text = new String(hostile.bytes(), StandardCharsets.ISO_8859_1);
            all.add(as(hostile, "without a key, ", at(text, all.size())));
            int firstLine = text.indexOf("\r\n");
            if (firstLine > 0) {
                String header = "\r\nIdempotency-Key: hostile-" + all.size();
                String keyed = text.substring(0, firstLine) + header + text.substring(firstLine);
                all.add(as(hostile, KEYED, at(keyed, all.size())));
            }
        }
        return all;
    }

    /** The same wrong contents exist for many endpoints. Those of one endpoint are enough. */
    private static boolean isForAnother(HostileCase hostile) {
        return hostile.name().startsWith("/") && !hostile.name().startsWith("/v1/claims:");
    }

    private static String at(String text, int number) {
        return text.replaceFirst(" /[A-Za-z0-9/_.-]*", " " + path(number));
    }

    /** A unique path that is no prefix of another one. */
    private static String path(int number) {
        return "/pay/hostile/" + number + "/";
    }

    private static HostileCase as(HostileCase hostile, String how, String text) {
        return new HostileCase(
                how + hostile.name(), text.getBytes(StandardCharsets.ISO_8859_1), hostile.kind(), Set.of());
    }

    private Launch launch() {
        Path file = Scratch.folder("config").resolve("semel.yml");
        try {
            Files.writeString(file, """
                    limits: {headers_seconds: 2, body_seconds: 2, idle_seconds: 2}
                    api: {routes: [{path: "/pay/**", target: "%s", key: optional, methods: [POST, PUT, PATCH, DELETE]}]}
                    """.formatted(bank.url()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Launch.in(Scratch.folder("data")).with("--config", file.toString());
    }
}
