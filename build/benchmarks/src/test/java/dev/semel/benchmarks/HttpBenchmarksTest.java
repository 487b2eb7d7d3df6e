// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs benchmarks, most of them on the real jar, with minimal effort. The figures have no meaning. */
class HttpBenchmarksTest {
    private static final Paired.Effort LEAST = new Paired.Effort(Duration.ofMillis(100), Duration.ofMillis(200), 1);

    @Test
    @Tag("slow")
    void duplicatesAreMeasured() throws Exception {
        List<Result> results = new HttpDuplicates().run(LEAST);
        assertThat(results).hasSize(2).allSatisfy(result -> {
            assertThat(result.figure().median()).isPositive();
            assertThat(cpu(result)).containsKeys(Cpu.SERVER, Cpu.DATABASE);
            assertThat(result.more()).contains("CPU of the constant server ");
        });
    }

    @Test
    @Tag("slow")
    void webhooksAreMeasured() throws Exception {
        assertThat(new HttpWebhooks((database, rounds) -> RawLedger.of(database, 2)).run(LEAST))
                .hasSize(2)
                .allSatisfy(result -> {
                    assertThat(result.figure().median()).isPositive();
                    assertThat(cpu(result)).containsKeys(Cpu.SERVER, Cpu.DATABASE);
                    assertThat(result.verdict()).isEmpty();
                });
    }

    @Test
    @Tag("slow")
    void theProxyIsMeasured() throws Exception {
        assertThat(new HttpProxy().run(LEAST)).hasSize(6).allSatisfy(result -> {
            assertThat(result.figure().median()).isPositive();
            assertThat(cpu(result)).containsKeys("proxy", "service", Cpu.DATABASE);
        });
    }

    @Test
    @Tag("slow")
    void theServletFilterIsMeasured() throws Exception {
        assertThat(new HttpFilter().run(LEAST))
                .hasSize(3)
                .allSatisfy(result -> assertThat(result.figure().median()).isPositive());
    }

    @Test
    @Tag("slow")
    void theStartIsMeasured() throws Exception {
        assertThat(new HttpStart().run(LEAST)).singleElement().satisfies(result -> {
            assertThat(result.figure().median()).isPositive();
            assertThat(result.goalText()).isEqualTo("at most 3.00 s");
        });
    }

    @Test
    @Tag("slow")
    void theOpenLoopIsMeasured() throws Exception {
        List<ReportPart> parts = new HttpLatency().run(LEAST);
        assertThat(parts).hasSize(3);
        assertThat(parts).filteredOn(Result.class::isInstance).hasSize(2);
        assertThat(parts.get(2))
                .isInstanceOfSatisfying(
                        Table.class,
                        table -> assertThat(table.rows())
                                .extracting(row -> row.get(0))
                                .containsExactly("claim and succeed", "ledger events"));
    }

    @Test
    @Tag("slow")
    void theServerIsComparedWithAnotherJar() throws Exception {
        assertThat(new HttpBefore(Launcher.jar()).run(LEAST))
                .hasSize(9)
                .allSatisfy(result -> assertThat(result.figure().median()).isPositive());
    }

    @Test
    @Tag("slow")
    void theCostOfARowIsMeasured() throws Exception {
        assertThat(new PostgresRows().run(LEAST))
                .singleElement()
                .satisfies(table -> assertThat(table.rows())
                        .extracting(row -> row.get(0))
                        .contains("write-ahead log, bytes", "HOT share of the updates, %", "index entries of a row"));
    }

    @Test
    @Tag("slow")
    void peersAreMeasuredAtTheirBestPoolSize() throws Exception {
        assertThat(new PostgresPeers().run(LEAST)).hasSize(3).allSatisfy(result -> {
            assertThat(result.against()).contains(", pool of ");
            assertThat(result.more()).contains("allocated ");
        });
    }

    private static Map<String, Double> cpu(Result result) {
        return Objects.requireNonNull(result.sides()).semel().otherMicros();
    }

    @Test
    void anAnswerThatIsNotTheExpectedOneFailsTheMeasurement() throws Exception {
        try (JavaServer server = ServedConstant.start(10);
                HttpGenerator http = new HttpGenerator(server.port(), 4)) {
            LedgerWork work = new LedgerWork(http);
            assertThatThrownBy(
                            () -> LoadRun.run(new Contender.Async("Semel", work::firstTime), 4, Duration.ofMillis(200)))
                    .hasMessage("Semel failed")
                    .hasRootCauseMessage("Expected 201, but got 200: xxxxxxxxxx");
        }
    }

    @Test
    void aServerThatGoesAwayFailsTheMeasurement() throws Exception {
        JavaServer server = ServedConstant.start(10);
        try (HttpGenerator http = new HttpGenerator(server.port(), 1)) {
            http.send(HttpRequest.get("/")).get().require(200);
            server.close();
            assertThatThrownBy(() -> http.send(HttpRequest.get("/")).get())
                    .hasRootCauseInstanceOf(java.io.IOException.class);
        }
    }
}
