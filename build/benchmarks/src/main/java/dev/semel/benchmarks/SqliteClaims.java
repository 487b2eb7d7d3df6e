// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.benchmarks.Paired.Effort;
import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** First-time keys in SQLite: grouped commits, compared with one commit per command on the same store. */
final class SqliteClaims implements Benchmark {
    private static final int CALLERS = 16;

    @Override
    public String name() {
        return "sqlite";
    }

    @Override
    public List<Result> run(Effort effort) throws Exception {
        Path folder = Files.createTempDirectory("semel-bench");
        try (JdbcClaimStore store = JdbcClaimStore.sqlite(folder.resolve("grouped.db"));
                JdbcClaimStore single = JdbcClaimStore.sqlite(folder.resolve("single.db"));
                SemelWork semel = new SemelWork(store);
                SemelWork oneByOne = new SemelWork(new OneByOne(single))) {
            return List.of(Result.rate(
                    "SQLite, 16 async callers, first-time keys",
                    "one commit a call",
                    Paired.run(
                            new Contender.Async("Semel", semel::firstTimeAsync),
                            new Contender.Async("one by one", oneByOne::firstTimeAsync),
                            CALLERS,
                            effort,
                            Cpu.OWN),
                    3));
        } finally {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    /** Runs each command in its own transaction. */
    private record OneByOne(ClaimStore store) implements ClaimStore {
        @Override
        public List<dev.semel.spi.Verdict> apply(List<? extends Command> commands) {
            return commands.stream()
                    .map(command -> store.apply(List.of(command)).get(0))
                    .toList();
        }

        @Override
        public java.util.Map<dev.semel.claim.ClaimRef, dev.semel.spi.Snapshot> read(
                java.util.Collection<dev.semel.claim.ClaimRef> refs) {
            return store.read(refs);
        }

        @Override
        public dev.semel.claim.SweepReport sweep(int limit) {
            return store.sweep(limit);
        }
    }
}
