// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.benchmarks.Paired.Effort;
import java.util.List;

/**
 * Verified webhooks that are encrypted into the inbox, first-time and duplicate. The baseline is two inserts, into a table of
 * keys and a table of events, without HTTP, signature and encryption.
 */
final class HttpWebhooks implements Benchmark {
    private static final int CONNECTIONS = 64;
    private static final int SETTLED = 2_000;

    private final RawLedger.Choice plain;

    HttpWebhooks() {
        this(RawLedger::best);
    }

    /** Compared with a loop of a fixed number of threads, which need not be found by trying. */
    HttpWebhooks(RawLedger.Choice plain) {
        this.plain = plain;
    }

    @Override
    public String name() {
        return "http-webhooks";
    }

    @Override
    public List<Result> run(Effort effort) throws Exception {
        try (BenchDatabase database = BenchDatabase.postgres();
                JavaServer server = ServedSemel.on(database);
                HttpGenerator http = new HttpGenerator(server.port(), CONNECTIONS)) {
            Progress.note(database.durability());
            Rounds rounds = new Rounds(effort.cold(), database.cpu(server));
            WebhookWork work = new WebhookWork(http);
            DrivenContender raw = plain.on(database, rounds);
            work.settle(SETTLED);
            return List.of(
                    Result.rate(
                            "HTTP, PostgreSQL, 64 connections, Stripe webhooks, verified, first-time events",
                            raw.name(),
                            rounds.of(
                                    new DrivenContender(new Contender.Async("Semel", work::firstTime), CONNECTIONS),
                                    raw),
                            Result.NO_GOAL),
                    Result.rate(
                            "HTTP, PostgreSQL, 64 connections, Stripe webhooks, verified, duplicate events",
                            raw.name(),
                            rounds.of(
                                    new DrivenContender(new Contender.Async("Semel", work::repeat), CONNECTIONS), raw),
                            Result.NO_GOAL));
        }
    }
}
