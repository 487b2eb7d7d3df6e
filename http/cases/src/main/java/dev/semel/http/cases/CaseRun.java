// SPDX-License-Identifier: Apache-2.0
package dev.semel.http.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One run of one case. */
final class CaseRun implements AutoCloseable {
    private static final Duration MAX_WAIT = Duration.ofSeconds(30);

    private final CaseTarget target;
    private final Map<String, List<RawCall>> calls = new HashMap<>();
    private final Map<String, RawAnswer> answers = new HashMap<>();

    CaseRun(CaseTarget target) {
        this.target = target;
    }

    void run(List<Step> steps) {
        steps.forEach(this::run);
    }

    private void run(Step step) {
        if (step instanceof Step.Send send) {
            start(send.name(), send.request(), send.times());
            answered(send.name(), send.expected());
        } else if (step instanceof Step.Start start) {
            start(start.name(), start.request(), start.times());
            start.running().ifPresent(count -> ran(start.request().path(), count));
        } else if (step instanceof Step.Await awaited) {
            answered(awaited.name(), awaited.expected());
        } else if (step instanceof Step.Receive receive) {
            byte[] wanted = receive.text().getBytes(StandardCharsets.UTF_8);
            await().atMost(MAX_WAIT)
                    .until(() -> calls(receive.name()).stream()
                            .allMatch(call -> RawAnswer.indexOf(call.received(), wanted, 0) >= 0));
        } else if (step instanceof Step.HangUp hangUp) {
            calls(hangUp.name()).forEach(RawCall::close);
        } else if (step instanceof Step.Open open) {
            assertThat(control("POST", "open", "gate", open.gate()).status()).isEqualTo(204);
        } else {
            Step.Runs runs = (Step.Runs) step;
            ran(runs.path(), runs.count());
        }
    }

    private void start(String name, CaseRequest request, int times) {
        calls.put(
                name,
                IntStream.range(0, times)
                        .mapToObj(i -> RawCall.start(target.address(), request))
                        .toList());
    }

    private void answered(String name, Expected expected) {
        List<RawCall> started = calls(name);
        List<RawAnswer> all = new ArrayList<>();
        started.forEach(call -> all.add(call.answer()));
        answers.put(name, all.get(0));
        all.forEach(answer -> expected.check(answer, step -> Objects.requireNonNull(answers.get(step), step)));
        expected.runs()
                .ifPresent(count -> assertThat(runs(started.get(0).request().path()))
                        .as("runs")
                        .isEqualTo(count));
    }

    private void ran(String path, int count) {
        await().atMost(MAX_WAIT).pollInterval(Duration.ofMillis(20)).until(() -> runs(path) == count);
    }

    private int runs(String path) {
        return Integer.parseInt(control("GET", "runs", "path", path).text());
    }

    private RawAnswer control(String method, String what, String name, String value) {
        String to = "/_control/%s?%s=%s".formatted(what, name, URLEncoder.encode(value, StandardCharsets.UTF_8));
        return RawCall.answer(target.application(), new CaseRequest(method, to, List.of(), new byte[0], false));
    }

    private List<RawCall> calls(String name) {
        return Objects.requireNonNull(calls.get(name), name);
    }

    @Override
    public void close() {
        Stream.of(calls.values())
                .flatMap(all -> all.stream())
                .flatMap(List::stream)
                .forEach(RawCall::close);
    }
}
