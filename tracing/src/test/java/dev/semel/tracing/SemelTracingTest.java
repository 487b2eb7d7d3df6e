// SPDX-License-Identifier: Apache-2.0
package dev.semel.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.ClaimOutcome;
import dev.semel.ClaimRequest;
import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.claim.Terms;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class SemelTracingTest {
    private static final Operation<String> CHARGE = Operation.of("card.charge", Codec.text());
    private static final ClaimKey KEY = CHARGE.key("acme", "order-17");

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();

    @AutoClose
    private final OpenTelemetrySdk telemetry = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                    .build())
            .build();

    @AutoClose
    private final Semel semel = Semel.on(new MemoryClaimStore())
            .secrets(Secrets.of("0123456789abcdef0123456789abcdef"))
            .observer(SemelTracing.on(telemetry).store("memory"))
            .withoutSweep()
            .build();

    private final Tracer tracer = telemetry.getTracer("application");

    @Test
    void aCallIsASpanWithThreeChildren() {
        inside(
                "request",
                () -> semel.execute(CHARGE, KEY, run -> {
                    tracer.spanBuilder("bank").startSpan().end();
                    return "receipt";
                }));

        assertThat(spans())
                .containsExactlyInAnyOrder(
                        "request",
                        "request > semel.execute succeeded",
                        "semel.execute > semel.claim granted",
                        "semel.execute > semel.run succeeded",
                        "semel.run > bank",
                        "semel.execute > semel.settle succeeded");
        assertThat(exporter.getFinishedSpanItems())
                .extracting(SpanData::getTraceId)
                .containsOnly(span("request").getTraceId());
        assertThat(span("semel.run").getAttributes().asMap())
                .containsOnlyKeys(
                        AttributeKey.stringKey("semel.scope"),
                        AttributeKey.stringKey("semel.outcome"),
                        AttributeKey.longKey("semel.attempt"),
                        AttributeKey.stringKey("semel.store"))
                .containsValues("card.charge", "succeeded", 1L, "memory");
    }

    @Test
    void aReplayRunsNothing() {
        semel.execute(CHARGE, KEY, run -> "receipt");
        exporter.reset();

        semel.execute(CHARGE, KEY, run -> "receipt");

        assertThat(spans()).containsExactly("semel.execute > semel.claim replayed", "semel.execute replayed");
    }

    @Test
    void aFailureNamesTheExceptionsClassOnly() {
        semel.execute(CHARGE, KEY, run -> {
            throw new IllegalStateException("card 4711 was declined");
        });

        assertThat(spans())
                .containsExactly(
                        "semel.execute > semel.claim granted",
                        "semel.execute > semel.run failed",
                        "semel.execute > semel.settle failed_retryably",
                        "semel.execute failed_retryably");
        assertThat(span("semel.run").getAttributes().get(AttributeKey.stringKey("error.type")))
                .isEqualTo("java.lang.IllegalStateException");
        assertThat(span("semel.run").getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(exporter.getFinishedSpanItems().toString()).doesNotContain("4711", "order-17", "acme");
    }

    @Test
    void anErrorEndsAllSpans() {
        assertThatThrownBy(() -> semel.execute(CHARGE, KEY, run -> {
                    throw new AssertionError("broken");
                }))
                .isInstanceOf(AssertionError.class);

        assertThat(spans()).hasSize(4).contains("semel.execute");
        assertThat(span("semel.execute").getAttributes().get(AttributeKey.stringKey("error.type")))
                .isEqualTo("java.lang.AssertionError");
    }

    @Test
    void asynchronousWorkStartsInItsSpanAndTheAnswerArrivesInTheCallersContext() {
        CompletableFuture<String> bank = new CompletableFuture<>();
        CompletableFuture<String> started = new CompletableFuture<>();
        CompletionStage<String> current = inside(
                "request",
                () -> semel.executeAsync(CHARGE, KEY, run -> {
                            started.complete(Span.current().getSpanContext().getSpanId());
                            return bank;
                        })
                        .thenApply(outcome -> Span.current().getSpanContext().getSpanId()));
        String running = started.join();
        bank.complete("receipt");

        assertThat(current.toCompletableFuture().join())
                .isEqualTo(span("request").getSpanId());
        assertThat(running).isEqualTo(span("semel.run").getSpanId());
        assertThat(spans())
                .contains(
                        "request > semel.execute succeeded",
                        "semel.execute > semel.claim granted",
                        "semel.execute > semel.run succeeded",
                        "semel.execute > semel.settle succeeded");
    }

    @Test
    void interleavedCallsDoNotMixTheirParents() throws Exception {
        CyclicBarrier both = new CyclicBarrier(2);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int round = 0; round < 20; round++) {
                int number = round;
                exporter.reset();
                List<CompletableFuture<?>> calls = List.of("a", "b").stream()
                        .<CompletableFuture<?>>map(name -> CompletableFuture.runAsync(
                                () -> inside(
                                        name,
                                        () -> semel.execute(CHARGE, CHARGE.key("acme", name + number), run -> {
                                            both.await(30, TimeUnit.SECONDS);
                                            return name;
                                        })),
                                threads))
                        .toList();
                CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).join();

                for (String name : List.of("a", "b")) {
                    assertThat(exporter.getFinishedSpanItems())
                            .filteredOn(
                                    span -> span.getTraceId().equals(span(name).getTraceId()))
                            .extracting(SpanData::getName)
                            .containsExactlyInAnyOrder(
                                    name, "semel.execute", "semel.claim", "semel.run", "semel.settle");
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aDuplicateThatWaitsKeepsItsOwnParent() {
        Operation<String> waiting = CHARGE.waitingUpTo(Duration.ofSeconds(30));
        CompletableFuture<String> bank = new CompletableFuture<>();
        CompletionStage<Outcome<String>> first = inside("first", () -> semel.executeAsync(waiting, KEY, run -> bank));
        CompletionStage<String> second = inside(
                "second",
                () -> semel.executeAsync(waiting, KEY, run -> bank)
                        .thenApply(outcome -> Span.current().getSpanContext().getSpanId()));
        bank.complete("receipt");
        first.toCompletableFuture().join();

        assertThat(second.toCompletableFuture().join()).isEqualTo(span("second").getSpanId());
        assertThat(spans()).contains("first > semel.execute succeeded", "second > semel.execute replayed");
    }

    @Test
    void singleStepsAreSpansOfTheirCaller() {
        inside("request", () -> {
            ClaimOutcome claimed = join(semel.claim(KEY, Fingerprint.NONE, Terms.DEFAULT, Duration.ZERO));
            join(semel.settle(((ClaimOutcome.Granted) claimed).claim(), Status.SUCCEEDED, null, null));
            return join(semel.claimAll(List.of(new ClaimRequest(AliasedKey.of(KEY), Fingerprint.NONE, Terms.DEFAULT))));
        });

        assertThat(spans())
                .containsExactly(
                        "request > semel.claim granted",
                        "request > semel.settle succeeded",
                        "request > semel.claim replayed",
                        "request");
    }

    @Test
    void idsOfCallersAreLeftOutOfScopes() {
        Operation<String> step = Operation.of("step:run-4711:send-invoice", Codec.text());
        semel.execute(step, step.key("acme", "k"), run -> "sent");

        assertThat(span("semel.execute").getAttributes().get(AttributeKey.stringKey("semel.scope")))
                .isEqualTo("step");
    }

    private <T> T inside(String name, Supplier<T> work) {
        Span span = tracer.spanBuilder(name).startSpan();
        try {
            return Context.current().with(span).wrapSupplier(work).get();
        } finally {
            span.end();
        }
    }

    private static <T> T join(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private SpanData span(String name) {
        return exporter.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** The finished spans as "parent > name outcome". */
    private List<String> spans() {
        List<SpanData> all = exporter.getFinishedSpanItems();
        return all.stream()
                .map(span -> {
                    String outcome = span.getAttributes().get(AttributeKey.stringKey("semel.outcome"));
                    String parent = all.stream()
                            .filter(other -> other.getSpanId().equals(span.getParentSpanId()))
                            .map(other -> other.getName() + " > ")
                            .findFirst()
                            .orElse("");
                    return parent + span.getName() + (outcome == null ? "" : " " + outcome);
                })
                .toList();
    }
}
