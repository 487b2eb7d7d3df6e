// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs each benchmark on the real jar with minimal effort. The figures have no meaning. */
class HttpBenchmarksTest {
    private static final Paired.Effort LEAST = new Paired.Effort(Duration.ofMillis(100), Duration.ofMillis(200), 1);

    @Test
    @Tag("slow")
    void duplicatesAreMeasured() throws Exception {
        List<Result> results = new HttpDuplicates().run(LEAST);
        assertThat(results).hasSize(2).allSatisfy(result -> {
            assertThat(result.figure().median()).isPositive();
            assertThat(result.detail()).contains(", server ", ", PostgreSQL ", ", constant server ");
        });
    }

    @Test
    @Tag("slow")
    void webhooksAreMeasured() throws Exception {
        assertThat(new HttpWebhooks(database -> RawLedger.of(database, 2)).run(LEAST))
                .hasSize(2)
                .allSatisfy(result -> {
                    assertThat(result.figure().median()).isPositive();
                    assertThat(result.detail()).contains(", server ", ", PostgreSQL ");
                    assertThat(result.line()).contains("| none | none | shown |");
                });
    }

    @Test
    @Tag("slow")
    void theProxyIsMeasured() throws Exception {
        assertThat(new HttpProxy().run(LEAST)).hasSize(6).allSatisfy(result -> {
            assertThat(result.figure().median()).isPositive();
            assertThat(result.detail()).contains(", proxy ", ", service ", ", PostgreSQL ");
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
            assertThat(result.line()).contains(" s** |", "| 3.00 s | none |");
        });
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
